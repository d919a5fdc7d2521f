import { type Markup, markup, styleElement } from '@millseal/families'
import { byLanguage, logoId, type ShownMail } from './shown-mail.ts'

/**
 * One column of at most 600 pixels without tables. Styles are inline, because several mail programs ignore a style
 * element; dark mode needs one. Nothing is loaded from elsewhere. The colours are those of the console.
 */
export const htmlOf = (mail: ShownMail): string => {
  const { languages, heading, sender, link, button } = mail
  return markup`<!doctype html>
<html lang="${languages[0]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${heading[0]}</title>${styleElement(darkStyle)}</head>
<body class="page" style="${styles.page}">
<div class="sheet" style="${styles.sheet}">
${sender && senderOf(sender)}<h1 style="${styles.heading}">${inLanguages(mail, heading)}</h1>
${
  mail.notice.length === 0
    ? undefined
    : markup`<div class="notice" style="${styles.notice}">${inLanguages(mail, mail.notice)}</div>
`
}${paragraphs(mail, mail.before)}${facts(mail)}${
  link &&
  markup`<p style="${styles.paragraph}"><a class="link" href="${link.url}" style="${styles.link}">${link.label}</a></p>
`
}${
  button &&
  markup`<p style="${styles.action}"><a class="button" href="${button.url}" style="${styles.button}">${button.label}</a></p>
`
}${paragraphs(mail, mail.after)}</div>
<div class="quiet" style="${styles.footer}">${inLanguages(mail, mail.why)}${
    mail.unsubscribe &&
    markup`<div><a class="quiet" href="${mail.unsubscribe.url}" style="${styles.quiet}">${mail.unsubscribe.label}</a></div>`
  }</div>
</body></html>
`.toString()
}

const styles = {
  page: "margin:0;padding:24px 12px;background:#f3f5f7;color:#16222d;overflow-wrap:anywhere;font:16px/1.5 'IBM Plex Sans',-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  sheet:
    'max-width:600px;margin:0 auto;padding:32px 24px;box-sizing:border-box;background:#fff;border-radius:8px',
  logo: 'display:block;max-width:200px;max-height:64px;margin:0 0 12px;padding:4px;background:#fff',
  sender: 'margin:0 0 20px;font-weight:600;color:#52626f',
  heading: 'margin:0 0 16px;font-size:22px;line-height:1.3',
  notice: 'margin:0 0 16px;padding:10px 14px;background:#fff2d1;color:#6b4700;border-left:4px solid #8a5700',
  paragraph: 'margin:0 0 16px',
  facts: 'margin:0 0 16px;padding:12px 0;border-top:1px solid #dbe2e7;border-bottom:1px solid #dbe2e7',
  fact: 'margin:0 0 10px;line-height:1.4',
  label: 'display:block;font-size:13px;line-height:1.3;color:#52626f',
  link: 'color:#10766a',
  action: 'margin:24px 0',
  button:
    'display:inline-block;padding:12px 28px;background:#10766a;color:#fff;border:1px solid #10766a;border-radius:6px;font-weight:600;text-decoration:none',
  footer:
    'max-width:600px;margin:16px auto 0;padding:0 24px;box-sizing:border-box;font-size:13px;color:#52626f',
  quiet: 'color:#52626f',
}

const darkStyle = `@media (prefers-color-scheme:dark){
.page{background:#0f171d!important;color:#e6ecf0!important}
.sheet{background:#172129!important}
.quiet{color:#9fb0bc!important}
.link{color:#4cc0b0!important}
.rule{border-color:#2a3742!important}
.notice{background:#3a2c06!important;color:#f3cf7f!important}
.button{background:#4cc0b0!important;border-color:#4cc0b0!important;color:#06211d!important}
}`

/** The name follows as text, so the picture needs no description. */
const senderOf = ({ name, hasLogo }: NonNullable<ShownMail['sender']>): Markup =>
  markup`${hasLogo ? markup`<img src="cid:${logoId}" alt="" style="${styles.logo}">` : undefined}<p class="quiet" style="${styles.sender}">${name}</p>
`

/** One element per language. */
const inLanguages = ({ languages }: ShownMail, texts: readonly string[]): readonly Markup[] =>
  texts.map((text, index) => markup`<span lang="${languages[index]}" style="display:block">${text}</span>`)

const paragraphs = (mail: ShownMail, list: readonly (readonly string[])[]): readonly Markup[] =>
  byLanguage(mail, list).flatMap((texts, index) =>
    texts.map(
      (text) => markup`<p lang="${mail.languages[index]}" style="${styles.paragraph}">${text}</p>
`,
    ),
  )

const facts = (mail: ShownMail): Markup | undefined =>
  mail.facts.length === 0
    ? undefined
    : markup`<div class="rule" style="${styles.facts}">${mail.facts.map(
        ([label, value]) =>
          markup`<p style="${styles.fact}"><span class="quiet" style="${styles.label}">${label}</span> ${value}</p>
`,
      )}</div>
`
