"""The rules in words, for people: in English, French and German, by chapter and clause.

>>> from coatl import rulebook
>>> rules = rulebook.load("en")
>>> rules.clause("A6").title
'Four cards at most'
>>> rules.search("two open")[0].id
'A1'
"""

from coatl.rulebook.book import (
    Rulebook,
    RuleChapter,
    RuleItem,
    RulePart,
    RulePicture,
    RuleStep,
    UnknownRule,
)
from coatl.rulebook.languages import LANGUAGES, Language, find_language
from coatl.rulebook.pictures import PICTURES, RulePictureName
from coatl.rulebook.reading import load
from coatl.rulebook.words import (
    CardListWords,
    CardWords,
    ContentsWords,
    ExampleWords,
    load_card_list_words,
    load_card_words,
    load_contents_words,
    load_example_words,
)

__all__ = [
    "LANGUAGES",
    "PICTURES",
    "CardListWords",
    "CardWords",
    "ContentsWords",
    "ExampleWords",
    "Language",
    "RuleChapter",
    "RuleItem",
    "RulePart",
    "RulePicture",
    "RulePictureName",
    "RuleStep",
    "Rulebook",
    "UnknownRule",
    "find_language",
    "load",
    "load_card_list_words",
    "load_card_words",
    "load_contents_words",
    "load_example_words",
]
