"""Word lists of the embedded model: function words, irregular forms, and words that say the same of a fact.

Written by hand for factual prose. The synonyms are the ones that turn up between a question and the sentence that
answers it;
near-synonyms that would blur two facts (rise/fall, revenue/profit) are left apart on purpose.
"""

from __future__ import annotations

STOP_WORDS = frozenset(
    """
a about above after again all also although am among an and any are as at be because been before being below between
both but by
can could did do does doing done down during each either etc for from further had has have having he her here hers
herself him
himself his how however i if in into is it its itself just may me might more most much must my myself neither no nor
not now of off
on once one only onto or other others our ours ourselves out over own per quite rather same shall she should
since so some
still such than
that the their theirs them themselves then there thereby therefore these they this those though through thus to too
toward towards
under until up upon us very via was we were what when where whereas whether which while who whom whose why will with
within without
would yet you your yours yourself yourselves
's 't don't doesn't didn't isn't aren't wasn't weren't can't couldn't won't wouldn't hasn't haven't hadn't it's that's
there's
""".split()
)
"""Function words. ``not``, ``before`` and their like carry meaning, but not as terms: they are compared by rules."""

QUESTION_WORDS = frozenset(
    """
what when where who whom whose which why how many much name list tell give describe explain summarize summarise
outline according
based please
""".split()
)
"""Words that shape a question and that no answer need repeat."""

IRREGULAR_FORMS: dict[str, str] = {
    form: base
    for base, *forms in (
        line.split()
        for line in """
arise arose arisen
become became
begin began begun
bear bore born borne
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
deal dealt
draw drew drawn
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
fly flew flown
forbid forbade forbidden
forget forgot forgotten
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hear heard
hide hid hidden
hold held
keep kept
know knew known
lay laid
lead led
leave left
lend lent
lose lost
make made
mean meant
meet met
overcome overcame
oversee oversaw overseen
pay paid
rise rose risen
run ran
see saw seen
sell sold
send sent
shake shook shaken
show showed shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
speak spoke spoken
spend spent
stand stood
steal stole stolen
strike struck
swear swore sworn
swim swam swum
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
undergo underwent undergone
undertake undertook undertaken
understand understood
wake woke woken
wear wore worn
win won
withdraw withdrew withdrawn
write wrote written
person people persons
child children
man men
woman women
foot feet
life lives
company companies
index indices indexes
datum data
criterion criteria
analysis analyses
crisis crises
""".split("\n")
        if line
    )
    for form in forms
}
"""Inflected form to base form, where a stemmer cannot know."""

SAME_MEANING: tuple[tuple[str, ...], ...] = tuple(
    tuple(line.split())
    for line in """
establish founded founder foundation establishment
begin start commence launch
end finish conclude terminate
buy purchase acquire acquisition
get receive obtain
big large
show demonstrate display
need require requirement
use utilize utilise usage
help assist aid
happen occur
make produce create production creation
build construct construction
write author wrote
choose select selection
allow permit enable
stop halt cease
change modify alter modification
increase rise grow growth
decrease decline drop reduce reduction fall
important significant
job occupation profession
picture image photograph
car automobile
film movie
doctor physician
purpose aim goal objective
kind type
company firm corporation
employee staff
situated located location
headquarters headquartered
cost price
delete remove
return refund
send submit
appoint appointment
resign resignation
elect election
marry married marriage wife husband spouse
die died death dead
bear birth birthplace
old age aged
long length
tall height high
wide width
deep depth
heavy weight weigh
undergo underwent
sentence sentenced
diagnose diagnosis diagnosed
prescribe prescription
treat treatment
manufacture manufacturer
operate operation operator
maximum max
minimum min
number count
annual annually yearly
monthly month
daily day
""".split("\n")
    if line
)
"""Classes of words that name the same thing; the first of a class stands for all."""

MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}

NUMBER_WORDS: dict[str, int] = {
    **{
        word: value
        for value, word in enumerate(
            "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
            " seventeen eighteen nineteen twenty".split(),
            start=2,
        )
    },
    **{
        word: 10 * value for value, word in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), start=3)
    },
}
"""Cardinals in words. ``one`` is left out: it is a pronoun more often than a number."""

SCALES: dict[str, float] = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "m": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "b": 1e9,
    "trillion": 1e12,
    "万": 1e4,
    "亿": 1e8,
}

NEGATIONS = frozenset(
    """not no never none neither nor cannot without lack lacks lacked lacking fail fails failed n't nobody
nothing unable refuse refuses refused deny denies denied absent""".split()
)
