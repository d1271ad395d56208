import json
import os
import sys


def area(width, height):
    result = width * height  # in area
    return result


def main():
    total = 0
    for side in range(5):
        total += area(side, 2)  # loop
    text = "größe π"
    print(json.dumps({"total": total, "text": text}))  # after loop
    print(json.dumps({"argv": sys.argv[1:], "cwd": os.getcwd(), "flags": sys.flags.optimize}))
    print("environment " + json.dumps(dict(os.environ)))
    return total


if __name__ == "__main__":
    main()
