package terms

// A wordClass says whether a word means something by itself.
type wordClass uint8

const (
	plainWord wordClass = iota
	stopWord
	questionWord
)

// classify looks up a folded word.
func classify(form string) wordClass {
	switch form {
	case "who", "whom", "whose", "what", "when", "where", "why", "which", "how",
		"what's", "who's", "where's", "how's", "when's", "why's":
		return questionWord
	case "a", "an", "the", "this", "that", "these", "those",
		"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves",
		"you", "your", "yours", "yourself", "he", "him", "his", "himself", "she", "her", "hers", "herself",
		"it", "its", "itself", "they", "them", "their", "theirs", "themselves",
		"am", "is", "are", "was", "were", "be", "been", "being",
		"do", "does", "did", "doing", "done", "have", "has", "had", "having",
		"can", "could", "will", "would", "shall", "should", "may", "might", "must",
		"and", "or", "but", "nor", "so", "if", "then", "else", "than", "as", "because", "while", "though",
		"of", "at", "by", "for", "with", "about", "to", "from", "in", "into", "on", "onto", "off", "out",
		"over", "under", "up", "down", "between", "through", "during", "before", "after", "again",
		"there", "here", "all", "any", "both", "each", "some", "such", "other", "own", "same",
		"no", "not", "only", "very", "too", "just", "also", "ever",
		"dont", "doesnt", "didnt", "cant", "cannot", "couldnt", "wont", "wouldnt", "shouldnt",
		"isnt", "arent", "wasnt", "werent", "hasnt", "havent", "hadnt",
		"i'm", "i've", "i'll", "i'd", "you're", "you've", "you'll", "you'd", "he's", "he'll", "he'd",
		"she's", "she'll", "she'd", "it's", "it'll", "we're", "we've", "we'll", "we'd",
		"they're", "they've", "they'll", "they'd", "that's", "there's", "let's",
		"etc", "eg", "ie":
		return stopWord
	}
	return plainWord
}
