"""Sentences a verbose assistant pads its answers with: about everything and nothing."""

from __future__ import annotations

from typing import Final

FILLER: Final = tuple(
    line.strip()
    for line in """
    That is a great question, and there are several angles from which it can be looked at.
    Here are a few things you may want to keep in mind as you think about this.
    First, take some time to reflect on what matters most to you and to your family.
    Second, consider making a simple plan with small steps that you can follow week by week.
    Third, remember that progress is rarely linear, and that setbacks are part of any journey.
    It can help to write down your thoughts in a journal at the end of each day.
    Many people find that talking with a friend or a professional gives them a new perspective.
    If you enjoy spending time outdoors, a short walk or a hike can clear your head.
    Music, painting, reading and other creative activities are wonderful ways to relax.
    You could also look for local events, workshops or online communities that share your interests.
    When it comes to food, a balanced diet with vegetables, fruit and enough water goes a long way.
    Make sure to get enough sleep, because tiredness makes every decision harder.
    For your budget, list your fixed costs first and then decide what is left for travel and hobbies.
    Do some research before you buy anything, and compare at least three different offers.
    Pets can be a great comfort, but they also need time, space and regular care.
    A good book or a film can offer both inspiration and a welcome break from routine.
    If you are learning something new, practise regularly and celebrate small successes.
    Set realistic goals and review them every month to see whether they still fit.
    Should you run into difficulties, do not hesitate to ask for support.
    Teamwork often makes a project not only easier but also much more fun.
    Social media can help to promote a business, but personal contact remains the most convincing.
    For a presentation, practise out loud, know your audience and keep your slides simple.
    Traditions and shared memories strengthen the bond between friends and relatives.
    Volunteering is a rewarding way to give something back to your community.
    Exercise, even in small doses, has a measurable effect on mood and concentration.
    Before a trip, check the weather, pack light and keep copies of your documents.
    If you cook at home, try one new recipe per week and adapt it to your taste.
    Games, whether on a board or on a screen, are a nice way to connect with others.
    Give yourself permission to rest; nobody can be productive all of the time.
    In the end, trust your instincts and choose what feels right for you.
    Let me know if you would like more detailed suggestions on any of these points.
    I hope this helps, and I am happy to go deeper into whatever interests you most.
    """.strip().splitlines()
)
