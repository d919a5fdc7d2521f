import { plainLine } from '@millseal/proof'
import { htmlOf } from './mail-html.ts'
import type { MailLanguages, Wording } from './mail-languages.ts'
import { byLanguage, logoId, type ShownMail } from './shown-mail.ts'

export type Fact = readonly [label: Wording, value: string | undefined]

/** What a mail says, before it becomes text and HTML. All of it is plain text. */
export type MailContent = {
  /** With two, every sentence appears in both. */
  readonly languages: MailLanguages
  /** In whose name we write, if not in our own. */
  readonly sender?: { readonly name: string; readonly logo?: MailLogo | undefined }
  readonly heading: Wording
  /** A warning that must not be missed. */
  readonly notice?: Wording | undefined
  readonly before: readonly Wording[]
  /** Facts without a value are left out. */
  readonly facts: readonly Fact[]
  /** Above the button, as text. */
  readonly link?: MailLink | undefined
  readonly button?: MailLink | undefined
  readonly after: readonly Wording[]
  /** One sentence about why this mail was sent. */
  readonly why: Wording
  readonly unsubscribe?: MailLink | undefined
}

export type MailLink = { readonly label: Wording; readonly url: string }
export type MailLogo = { readonly type: 'image/png' | 'image/jpeg'; readonly base64: string }

/** As the mailer attaches it. */
export type MailPicture = {
  readonly filename: string
  readonly type: string
  readonly content: Uint8Array
  readonly contentId: string
}

export type RenderedMail = {
  readonly text: string
  readonly html: string
  /** The logo, if there is one. */
  readonly pictures: readonly MailPicture[]
}

/** That of the longest reason which people can enter. */
const longestValue = 500

/** Renders a mail both as plain text and as HTML, from the same content. */
export const renderMail = (content: MailContent): RenderedMail => {
  const shown = shownOf(content)
  const logo = content.sender?.logo
  return {
    text: textOf(shown),
    html: htmlOf(shown),
    pictures: logo === undefined ? [] : [pictureOf(logo)],
  }
}

/** Puts a value on one line and limits its length, so it cannot imitate other lines or fill the mail. */
export const oneLine = (text: string, longest: number = longestValue): string => plainLine(text, longest)

/** With it, a receiver ends the mails of a company. */
export const unsubscribeLink = ({
  companyName,
  unsubscribeUrl,
}: Readonly<Record<'companyName' | 'unsubscribeUrl', string>>): MailLink => ({
  label: {
    en: `No more mails from ${oneLine(companyName)}`,
    de: `Keine E-Mails mehr von ${oneLine(companyName)}`,
  },
  url: unsubscribeUrl,
})

/** The same in every language and for every reader. */
export const timeOf = (time: Date): string => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** A name with a space after each dot and colon, so that no mail program makes a link of it: `evil. example`. */
export const withoutLinks = (name: string): string => name.replaceAll(/[.:\u3002\uff0e\uff61](?=\S)/gu, '$& ')

const shownOf = (content: MailContent): ShownMail => {
  const { languages, sender } = content
  const inEach = (words: Wording): readonly string[] => languages.map((language) => words[language])
  const inOne = (words: Wording): string => [...new Set(inEach(words))].join(' / ')
  const linkOf = (link: MailLink | undefined) => link && { label: inOne(link.label), url: link.url }
  return {
    languages,
    sender: sender && { name: oneLine(sender.name), hasLogo: sender.logo !== undefined },
    heading: inEach(content.heading),
    notice: content.notice === undefined ? [] : inEach(content.notice),
    before: content.before.map(inEach),
    facts: content.facts.flatMap(([label, value]) =>
      value === undefined ? [] : [[inOne(label), oneLine(value)] as const],
    ),
    link: linkOf(content.link),
    button: linkOf(content.button),
    after: content.after.map(inEach),
    why: inEach(content.why),
    unsubscribe: linkOf(content.unsubscribe),
  }
}

const pictureOf = ({ type, base64 }: MailLogo): MailPicture => ({
  filename: type === 'image/png' ? 'logo.png' : 'logo.jpg',
  type,
  content: Buffer.from(base64, 'base64'),
  contentId: logoId,
})

const textOf = (mail: ShownMail): string => {
  const width = Math.max(0, ...mail.facts.map(([label]) => label.length)) + 2
  const paragraphs = (list: readonly (readonly string[])[]): readonly string[] =>
    byLanguage(mail, list)
      .flat()
      .flatMap((line) => [line, ''])
  const { sender, link, button, unsubscribe } = mail
  return [
    ...(sender === undefined ? [] : [sender.name, '']),
    ...mail.heading,
    '',
    ...mail.notice.flatMap((line) => [line, '']),
    ...paragraphs(mail.before),
    ...mail.facts.map(([label, value]) => `${label.padEnd(width)}${value}`),
    ...(mail.facts.length === 0 ? [] : ['']),
    ...(link === undefined ? [] : [`${link.label}:`, link.url, '']),
    ...(button === undefined ? [] : [`${button.label}:`, button.url, '']),
    ...paragraphs(mail.after),
    '-- ',
    ...mail.why,
    ...(unsubscribe === undefined ? [] : [`${unsubscribe.label}:`, unsubscribe.url]),
  ].join('\n')
}
