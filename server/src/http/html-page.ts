import type { FastifyReply } from 'fastify'
import { type Markup, markup } from '@millseal/families'

export type HtmlPage = {
  readonly title: string
  readonly main: Markup
  readonly status?: number
  /** Allows scripts from this server, and connections back to it. */
  readonly hasScript?: true
}

/** Allows no scripts, no framing, forms only to this server, and nothing from other origins. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const scriptPolicy = `${pagePolicy}; script-src 'self'; connect-src 'self'`

/** Sends one of the server's own pages, for sign-in and mailed links. */
export const sendHtmlPage = (
  reply: FastifyReply,
  { title, main, status = 200, hasScript }: HtmlPage,
): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', hasScript === true ? scriptPolicy : pagePolicy)
    .header('cache-control', 'no-store')
    // With `no-referrer`, browsers would not send the Origin of our own forms.
    .header('referrer-policy', 'same-origin')
    .send(htmlPage(title, main))

export const htmlPage = (title: string, main: Markup): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Millseal</title>
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<p class="brand">Millseal</p>
<main>
${main}
</main>
</body>
</html>
`.toString()

export const pageStyle = `:root {
  color-scheme: light dark;
  --paper: #f4f6f8; --sheet: #fff; --ink: #17212b; --quiet: #4f5d6a; --line: #8794a1; --edge: #dbe1e7;
  --accent: #0a5aa8; --accent-strong: #084884; --on-accent: #fff; --wrong: #b0221a; --right: #1a6b3c; --caution: #8a4b00; --wrong-paper: #fdf1f0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #10161c; --sheet: #18212a; --ink: #e6ecf2; --quiet: #a6b3c0; --line: #66747f; --edge: #2a3641;
    --accent: #8cc0f5; --accent-strong: #b3d6fa; --on-accent: #0b1a28; --wrong: #ffaaa2; --right: #8fd6ab; --caution: #f2b866; --wrong-paper: #2d1c1c;
  }
}
* { box-sizing: border-box }
body {
  margin: 0; min-height: 100vh; padding: clamp(1.5rem, 11vh, 7rem) 1rem 2rem;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
.brand { max-width: 25rem; margin: 0 auto .75rem; font-weight: 650; letter-spacing: .01em; color: var(--quiet) }
main {
  max-width: 25rem; margin: 0 auto; padding: clamp(1.25rem, 6vw, 2rem);
  background: var(--sheet); border: 1px solid var(--edge); border-radius: .75rem;
}
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .5rem; text-wrap: balance }
p { margin: 0 0 1rem; text-wrap: pretty }
p:last-child { margin-bottom: 0 }
.quiet { color: var(--quiet) }
a { color: var(--accent); text-underline-offset: .2em }
form { margin: 1.5rem 0 0 }
label { display: block; margin: 0 0 .35rem; font-weight: 600 }
input, select {
  display: block; width: 100%; margin: 0 0 1.1rem; padding: .65rem .75rem;
  font: inherit; color: inherit; background: var(--sheet);
  border: 1px solid var(--line); border-radius: .4rem;
}
input[aria-invalid] { border-color: var(--wrong); margin-bottom: .4rem }
.code { font-variant-numeric: tabular-nums; letter-spacing: .12em }
.wrong {
  margin: 0 0 .6rem; padding: .55rem .75rem; color: var(--wrong); background: var(--wrong-paper);
  border-left: 3px solid var(--wrong); border-radius: .2rem;
}
button, .button {
  display: block; width: 100%; margin: 1.4rem 0 0; padding: .7rem 1rem; cursor: pointer;
  font: inherit; font-weight: 600; text-align: center; text-decoration: none;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .4rem;
}
button:hover, .button:hover { background: var(--accent-strong); border-color: var(--accent-strong) }
button.second { margin-top: .75rem; color: var(--accent); background: transparent; border-color: var(--line) }
button.second:hover { border-color: var(--accent-strong); color: var(--accent-strong) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`
