import type { MailLanguages } from './mail-languages.ts'

/** What both forms of a mail show: every sentence as a list with one text per language. */
export type ShownMail = {
  readonly languages: MailLanguages
  readonly sender: { readonly name: string; readonly hasLogo: boolean } | undefined
  readonly heading: readonly string[]
  readonly notice: readonly string[]
  readonly before: readonly (readonly string[])[]
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly link: ShownLink | undefined
  readonly button: ShownLink | undefined
  readonly after: readonly (readonly string[])[]
  readonly why: readonly string[]
  readonly unsubscribe: ShownLink | undefined
}

type ShownLink = { readonly label: string; readonly url: string }

/** The content id of the logo. */
export const logoId = 'logo'

/** The paragraphs language by language, not sentence by sentence. */
export const byLanguage = (
  { languages }: ShownMail,
  paragraphs: readonly (readonly string[])[],
): readonly (readonly string[])[] =>
  languages.map((_, index) => paragraphs.flatMap((paragraph) => paragraph[index] ?? []))
