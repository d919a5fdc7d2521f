import { markup } from '@millseal/families'
import { plainLine } from '@millseal/proof'

/** The content of a mail about an event or a certificate. All of it is plain text. */
export type MailContent = {
  /** RFC 5646 language tag of the sentences around the facts. */
  readonly language: string
  readonly heading: string
  readonly before: readonly string[]
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly after: readonly string[]
  readonly link: { readonly label: string; readonly url: string }
  readonly footer: readonly string[]
}

const longestValue = 300

/** Renders a mail both as plain text and as HTML. */
export const renderMail = (content: MailContent): { readonly text: string; readonly html: string } => {
  const shown = { ...content, facts: content.facts.map(([label, value]) => [label, oneLine(value)] as const) }
  return { text: textOf(shown), html: htmlOf(shown) }
}

/** Puts a value on one line and limits its length, so it cannot imitate other lines or fill the mail. */
export const oneLine = (text: string, longest: number = longestValue): string => plainLine(text, longest)

const textOf = ({ heading, before, facts, after, link, footer }: MailContent): string => {
  const width = Math.max(0, ...facts.map(([label]) => label.length)) + 2
  return [
    heading,
    '',
    ...before.flatMap((line) => [line, '']),
    ...facts.map(([label, value]) => `${label.padEnd(width)}${value}`),
    '',
    ...after.flatMap((line) => [line, '']),
    `${link.label}:`,
    link.url,
    '',
    '-- ',
    ...footer,
  ].join('\n')
}

/** Uses tables and inline styles, which all mail programs support, and loads nothing. */
const htmlOf = ({ language, heading, before, facts, after, link, footer }: MailContent): string => {
  const paragraphs = (lines: readonly string[]) =>
    lines.map(
      (line) => markup`<p style="margin:0 0 16px">${line}</p>
`,
    )
  const rows = facts.map(
    ([label, value]) =>
      markup`<tr><td style="padding:4px 16px 4px 0;color:#5b6470;vertical-align:top;white-space:nowrap">${label}</td><td style="padding:4px 0;word-break:break-word">${value}</td></tr>`,
  )
  const table =
    rows.length === 0
      ? undefined
      : markup`<table cellspacing="0" cellpadding="0" style="margin:0 0 16px;font-size:15px">${rows}</table>`
  return markup`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${heading}</title></head>
<body style="margin:0;background:#f3f5f7;color:#1b2430;font:16px/1.5 sans-serif">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellspacing="0" cellpadding="0" style="max-width:100%;background:#ffffff">
<tr><td style="padding:32px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${heading}</h1>
${paragraphs(before)}${table}
${paragraphs(after)}<p style="margin:0"><a href="${link.url}" style="color:#0b5cad">${link.label}</a></p>
</td></tr></table>
<p style="margin:16px 0 0;color:#5b6470;font-size:13px">${footer.map((line, index) => (index === 0 ? [line] : [markup`<br>`, line]))}</p>
</td></tr></table></body></html>`.toString()
}
