package sources

import "github.com/hansard-search/hansard/sources/internal/jsonl"

// claudeLine holds the members of one line, undecoded, because most lines hold
// nothing to keep. Key order and
// presence differ between versions: every member may be missing.
type claudeLine struct {
	typ, subtype, uuid, parent, logical, session jsonl.Node
	timestamp, cwd, branch, version              jsonl.Node
	entrypoint, promptSource, origin, plan       jsonl.Node
	message, content, attachment, forked         jsonl.Node
	operation, title, aiTitle, summary, leaf     jsonl.Node
	apiError                                     jsonl.Node
	meta, sidechain, compact, transcriptOnly     bool
}

// parse takes the members that matter. The last of several with one name
// counts.
func (l *claudeLine) parse(v jsonl.Node) {
	*l = claudeLine{}
	v.Members(func(name []byte, v jsonl.Node) bool {
		switch string(name) {
		case "type":
			l.typ = v
		case "subtype":
			l.subtype = v
		case "uuid":
			l.uuid = v
		case "parentUuid":
			l.parent = v
		case "logicalParentUuid":
			l.logical = v
		case "sessionId":
			l.session = v
		case "timestamp":
			l.timestamp = v
		case "cwd":
			l.cwd = v
		case "gitBranch":
			l.branch = v
		case "version":
			l.version = v
		case "isMeta":
			l.meta = v.True()
		case "isSidechain":
			l.sidechain = v.True()
		case "isCompactSummary":
			l.compact = v.True()
		case "isVisibleInTranscriptOnly":
			l.transcriptOnly = v.True()
		default:
			l.parseRare(name, v)
		}
		return true
	})
}

// parseRare takes the members that only some types of lines have.
func (l *claudeLine) parseRare(name []byte, v jsonl.Node) {
	switch string(name) {
	case "message":
		l.message = v
	case "content":
		l.content = v
	case "attachment":
		l.attachment = v
	case "entrypoint":
		l.entrypoint = v
	case "promptSource":
		l.promptSource = v
	case "origin":
		l.origin = v
	case "planContent":
		l.plan = v
	case "forkedFrom":
		l.forked = v
	case "operation":
		l.operation = v
	case "customTitle":
		l.title = v
	case "aiTitle":
		l.aiTitle = v
	case "summary":
		l.summary = v
	case "leafUuid":
		l.leaf = v
	case "isApiErrorMessage":
		l.apiError = v
	}
}

// claudeMessage is the "message" of a user or assistant line.
type claudeMessage struct {
	id, model, content, stop, usage jsonl.Node
}

func (l *claudeLine) msg() (m claudeMessage) {
	l.message.Members(func(name []byte, v jsonl.Node) bool {
		switch string(name) {
		case "id":
			m.id = v
		case "model":
			m.model = v
		case "content":
			m.content = v
		case "stop_reason":
			m.stop = v
		case "usage":
			m.usage = v
		}
		return true
	})
	return m
}

// claudeBlock is one element of a message's content.
type claudeBlock struct {
	typ, text, id, name, input, content, isError jsonl.Node
}

func claudeBlockOf(v jsonl.Node) (b claudeBlock) {
	if v.Kind() == '"' { // a list of strings; seen in other writers
		return claudeBlock{typ: jsonl.Of(jsonl.Value(`"text"`)), text: v}
	}
	v.Members(func(name []byte, v jsonl.Node) bool {
		switch string(name) {
		case "type":
			b.typ = v
		case "text":
			b.text = v
		case "id", "tool_use_id":
			b.id = v
		case "name":
			b.name = v
		case "input":
			b.input = v
		case "content":
			b.content = v
		case "is_error":
			b.isError = v
		}
		return true
	})
	return b
}
