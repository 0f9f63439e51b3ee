package rank

// The constants of ranking. Each was measured on two labelled sets, 216 queries
// over real coding sessions and 996 questions about long dialogues, by session.
// Figures are hit@1 of the first and of the second, in per cent; values were
// taken from the middle of a plateau that both sets share, rounded.

// K1 and B are those of BM25: how soon more of a word stops counting, and how
// much long texts are held back. K1 0.8 to 1.5 and B 0.6 to 0.9 differ by less
// than one query in a hundred on either set. AnswerB is B for answers: a long prompt
// mostly was pasted, a long answer tells more. At 0.75: 86.1/77.3, at 0.5: 86.1/78.0,
// at 0.4: 85.2/78.3.
const (
	K1      = 1.2
	B       = 0.75
	AnswerB = 0.5
)

// ToolFactor is for the answer of a turn in which tools were used: what was
// done is looked for more often than what was only said. Without it 84.7 falls
// to 83.8; the dialogues know no tools.
const ToolFactor = 1.3

// ExactShare is the part of a word's score that needs the very form that was
// asked for; the rest any form of it gets. At 0: 84.3/76.1, at 0.2: 84.7/76.7,
// at 0.3 the turns found in the first three places become fewer.
const ExactShare = 0.2

// StopShare is what function and question words count of their score. They are
// common and so count little anyway, but "off" or "after" can tell two texts
// apart that are alike otherwise: hit@3 of the questions rises from 90.4 to
// 91.4, and the coding set does not change from 0.1 to 0.3.
const StopShare = 0.2

// Coverage is the part of a text's score that shrinks with the share of the
// query's weight that the text lacks: a text with all the words beats one that
// has a single one of them often. 0: 83.3/75.0; 0.5: 84.7/76.5; 0.7: 85.6/76.4.
const Coverage = 0.5

// supports are what a session's second, third and fourth best turns add to its
// best one. They are few and small on purpose: a session of a thousand turns,
// which has a turn for everything, gains no more than one of four. No support:
// 84.3/74.2; 0.2 halved each time: 85.6/76.5; from 0.4 on the coding set loses
// two in a hundred to marathon sessions.
const (
	support2 = 0.2
	support3 = 0.1
	support4 = 0.05
)

// SessionPart is what a title adds to a session beside its turns, and what its
// summaries score in their place; the weights of their surfaces are inside. A title
// says what its turns say already: without titles the coding set loses one query in
// a hundred. A summary of everything matches everything and repeats what its turns
// say, so that it counts for turns that are not there and adds nothing to others:
// added, it costs the coding set one query in a hundred at 0.3 and four at 0.6.
const SessionPart = 0.3

// DateShare is what the day or month that a question names counts for turns of
// that time, as if it were a word of them. A fifth of the dialogues' questions
// names one: 72.6 without, 75.3 at 0.5, 75.8 at 1, 76.0 at 1.5. The week around a
// day counts as much as it does, and words that spell the date as function words
// do: 76.5 of all questions without either, 76.9 with both.
const DateShare = 1.0

// Near is what words of the query that stand side by side in it add where they
// stand close in a text, as a share of the commoner one's weight: 76.0 without, 76.5
// at 0.5, and less again from 1 on. Words out of a sentence, some left out, some
// swapped, of 600 turns each: 87.3 at 0.5, 88.2 at 0.6, no more at 0.75, where a
// search takes 5 % longer, since more texts have to be read.
const Near = 0.6

// NearWindow is how many words apart is still close. From 1 to 20 there is no
// difference on either set; 3 is two words with one or two between.
const NearWindow = 3

// Backward is what closeness in the other order than asked counts. The labelled
// sets do not tell; people mostly repeat the order they read.
const Backward = 0.7

// RecencyGain is what the newest turn gains over an ancient one, and
// RecencyHalf the age in days at which half of it is left. A gentle prior: it
// decides between near equals. 0 to 0.1 is one plateau of both sets, which are
// old, so that they say only that it does no harm.
const (
	RecencyGain = 0.05
	RecencyHalf = 60
)

// Repeat is what a row keeps of its score for each better row with the same
// prompt, and RepeatFloor the least it keeps. The same words typed sixty times
// would otherwise take all places with one answer's worth of information.
const (
	Repeat      = 0.9
	RepeatFloor = 0.5
)

// Depth is how many rows of the first stage the second one puts in order.
const Depth = 200

// The mean length of few texts says little about how long such texts are, and
// in a corpus of three sessions it would decide the ranking alone. So means
// start from typical lengths, as if so many texts had been seen already; both
// labelled sets, of 574 and 1,414 turns, stay as they are up to 50.
const (
	TypicalTexts   = 20
	TypicalTurn    = 100 // words of a prompt or an answer
	TypicalTitle   = 6
	TypicalSummary = 1000
)
