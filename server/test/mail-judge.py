"""Reads a mail the way a foreign mail program does, with Python's own parsers, and prints what it found as JSON."""
import json
import sys
from email import policy
from email.parser import BytesParser
from html.parser import HTMLParser

VOID = {"meta", "img", "br", "hr", "link", "input"}


class Judge(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.faults = []
        self.tags = set()
        self.references = []
        self.text = []
        self.link = None

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            if name.startswith("on"):
                self.faults.append(f"{tag} has {name}")
            if name in ("src", "href", "background", "action", "srcset"):
                self.references.append([tag, name, value])
            if name == "style" and "url(" in (value or ""):
                self.faults.append(f"the style of {tag} loads something")
        if tag == "a":
            self.link = dict(attrs).get("href")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")
        if tag == "a":
            self.text.append(f": {self.link}")

    def handle_data(self, data):
        if not {"style", "title"} & set(self.open):
            self.text.append(data)
        elif "style" in self.open and ("url(" in data or "@import" in data):
            self.faults.append("the style loads something")


message = BytesParser(policy=policy.default).parsebytes(sys.stdin.buffer.read())
judge = Judge()
text = message.get_body(("plain",))
html = message.get_body(("html",))
if html is not None:
    judge.feed(html.get_content())
    judge.close()
if judge.open:
    judge.faults.append(f"not closed: {judge.open}")


def outline(part):
    kind = part.get_content_type()
    return [kind, [outline(inner) for inner in part.iter_parts()]] if part.is_multipart() else kind


defects = [str(defect) for part in message.walk() for defect in part.defects]
print(
    json.dumps(
        {
            "headers": [[name.lower(), str(value)] for name, value in message.items()],
            "outline": outline(message),
            "text": text.get_content() if text else "",
            "html": html.get_content() if html else "",
            "htmlText": "".join(judge.text),
            "tags": sorted(judge.tags),
            "references": judge.references,
            "faults": judge.faults + defects,
            "contentIds": [part["content-id"] for part in message.walk() if part["content-id"]],
            "attachments": [[part.get_filename(), len(part.get_content())] for part in message.iter_attachments()],
        }
    )
)
