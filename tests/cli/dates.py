#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds ffind's dates against Python's calendar: random local dates in zones whose clocks do odd things.

    dates.py --ffind build/ffind [--dates N] [--seed N]

What a date stands for is read off --explain, which prints the range in UTC. Python's zoneinfo reads the same
zone data by code of its own. A difference prints zone, date and both ranges. Exit status: 0 equal, 1
different, 77 no zone data (Debian: apt-get install tzdata).
"""
import argparse
import calendar
import concurrent.futures
import datetime
import os
import random
import re
import subprocess
import sys

try:
    import zoneinfo
except ImportError:
    zoneinfo = None

# Half an hour of summer time (Lord Howe), two changes around Ramadan (Casablanca), 45 minutes (Kathmandu),
# summer time from midnight on (Sao Paulo), a day left out on 2011-12-30 (Apia), a midnight that came twice,
# since clocks were put back at 00:01 (St. John's until 2011).
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu",
         "America/Sao_Paulo", "Pacific/Apia", "Asia/Beirut",
         "America/St_Johns")
SECOND = 10**9
EPOCH = datetime.datetime(1970, 1, 1)


def seconds_of(wall):
    return int((wall - EPOCH).total_seconds())


def offset_at(zone, instant):
    moment = datetime.datetime.fromtimestamp(instant, datetime.timezone.utc).astimezone(zone)
    return int(moment.utcoffset().total_seconds())


def first_second(zone, wall):
    """The first second at which a clock shows `wall`; where it is jumped over, the second of the jump."""
    early = seconds_of(wall) - int(wall.replace(tzinfo=zone, fold=0).utcoffset().total_seconds())
    late = seconds_of(wall) - int(wall.replace(tzinfo=zone, fold=1).utcoffset().total_seconds())
    instants = sorted((early, late))
    for instant in instants:
        if instant + offset_at(zone, instant) == seconds_of(wall):
            return instant
    before, behind = instants[0] - 1, instants[1]
    while behind - before > 1:
        middle = (before + behind) // 2
        if offset_at(zone, middle) == offset_at(zone, instants[0] - 1):
            before = middle
        else:
            behind = middle
    return behind


def last_second(zone, wall):
    """The last second at which a clock shows `wall`; where it is jumped over, the one before the jump."""
    early = seconds_of(wall) - int(wall.replace(tzinfo=zone, fold=0).utcoffset().total_seconds())
    late = seconds_of(wall) - int(wall.replace(tzinfo=zone, fold=1).utcoffset().total_seconds())
    for instant in sorted((early, late), reverse=True):
        if instant + offset_at(zone, instant) == seconds_of(wall):
            return instant
    return first_second(zone, wall) - 1


def random_date(source):
    """A date as it is typed, and the wall times at which it begins and at which the next one does."""
    year, month = source.randint(1990, 2037), source.randint(1, 12)
    last = calendar.monthrange(year, month)[1]
    day = source.choice([1, last, source.randint(1, last)])
    shape = source.choice(["year", "month", "day", "day", "day", "hour", "minute", "second"])
    begin = datetime.datetime(year, 1 if shape == "year" else month, day if shape not in ("year", "month") else 1)
    if shape == "year":
        return f"{year}", begin, datetime.datetime(year + 1, 1, 1)
    if shape == "month":
        return f"{year}-{month:02}", begin, begin + datetime.timedelta(days=last)
    if shape == "day":
        return f"{begin:%Y-%m-%d}", begin, begin + datetime.timedelta(days=1)
    # Clocks change in the small hours.
    begin += datetime.timedelta(hours=source.choice([0, 1, 2, 3, source.randint(0, 23)]))
    if shape == "hour":
        return f"{begin:%Y-%m-%dT%H}", begin, begin + datetime.timedelta(hours=1)
    begin += datetime.timedelta(minutes=source.choice([0, 30, 59, source.randint(0, 59)]))
    if shape == "minute":
        return f"{begin:%Y-%m-%d %H:%M}", begin, begin + datetime.timedelta(minutes=1)
    begin += datetime.timedelta(seconds=source.randint(0, 59))
    return f"{begin:%Y-%m-%dT%H:%M:%S}", begin, begin + datetime.timedelta(seconds=1)


def changes(name):
    """Days around which the clocks of the zone change."""
    zone, found = zoneinfo.ZoneInfo(name), []
    day = datetime.datetime(1990, 1, 1)
    while day.year < 2038:
        following = day + datetime.timedelta(days=1)
        if day.replace(tzinfo=zone).utcoffset() != following.replace(tzinfo=zone).utcoffset():
            found.append(day)
        day = following
    return found


def random_change(source, days):
    """A day, hour or minute at a change of clocks."""
    begin = source.choice(days) + datetime.timedelta(days=source.choice([-1, 0, 0, 1]))
    if source.random() < 0.4:
        return f"{begin:%Y-%m-%d}", begin, begin + datetime.timedelta(days=1)
    begin += datetime.timedelta(hours=source.choice([0, 0, 1, 2, 3, 23]))
    if source.random() < 0.5:
        return f"{begin:%Y-%m-%dT%H}", begin, begin + datetime.timedelta(hours=1)
    begin += datetime.timedelta(minutes=source.choice([0, 15, 30, 45]))
    return f"{begin:%Y-%m-%dT%H:%M}", begin, begin + datetime.timedelta(minutes=1)


def expected(name, begin, behind):
    zone = zoneinfo.ZoneInfo(name)
    # To the second pass where clocks are put back.
    first, end = first_second(zone, begin), last_second(zone, behind - datetime.timedelta(seconds=1)) + 1
    return None if end <= first else (first * SECOND, end * SECOND - 1)


STAMP = r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z"


def nanoseconds(stamp):
    text, fraction = re.fullmatch(STAMP, stamp).groups()
    return seconds_of(datetime.datetime.fromisoformat(text)) * SECOND + int((fraction or "0").ljust(9, "0"))


def answer(ffind, name, text):
    """The range that ffind reads; None where it says that the clocks left it out."""
    run = subprocess.run([ffind, "--explain", "--modified", text], env=dict(os.environ, TZ=name),
                         capture_output=True, text=True)
    if run.returncode == 2 and "skipped when the clocks" in run.stderr:
        return None
    run.check_returncode()
    line = run.stdout.splitlines()[0].split(None, 1)[1]
    range_text = re.fullmatch(r"modified = (\S+?)\.\.(\S+)", line)
    return nanoseconds(range_text.group(1)), nanoseconds(range_text.group(2))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ffind", required=True)
    parser.add_argument("--dates", type=int, default=300, help="of each zone")
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    missing = list(ZONES)
    if zoneinfo is not None:
        # TZ is read by the C library, from where it keeps its data.
        missing = [name for name in ZONES if not os.path.exists("/usr/share/zoneinfo/" + name)]
    if missing:
        print("skipped: no zone data for " + ", ".join(missing) + " (Debian: apt-get install tzdata)")
        return 77

    source = random.Random(options.seed)
    dates = []
    for name in ZONES:
        days = changes(name)
        for number in range(options.dates):
            at_change = days and number % 2 == 0
            dates.append((name,) + (random_change(source, days) if at_change else random_date(source)))
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = pool.map(lambda date: answer(options.ffind, date[0], date[1]), dates)
        for (name, text, begin, behind), found in zip(dates, answers):
            wanted = expected(name, begin, behind)
            if found != wanted:
                wrong += 1
                print(f"TZ={name} {text}: ffind {found}, Python {wanted}")
    print(f"{len(dates)} dates, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
