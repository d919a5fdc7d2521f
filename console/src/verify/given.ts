import { plainLine } from '@millseal/proof/verifier'
import type { Checker } from './checker.ts'
import { h } from './dom.ts'
import type { NamedPolicy } from './read-file.ts'
import type { Texts } from './texts/texts.ts'

export const notice = (text: string, button?: HTMLElement): HTMLElement =>
  h('p', { class: 'notice' }, `${text} `, button)

/** A zip may contain thousands of policies. */
const mostIgnored = 5

/** Names come from strangers: no invisible characters, and no longer than a line. */
const nameOf = ({ name }: NamedPolicy): string => plainLine(name, 80)

/** The logs and issuers that the reader would trust with this policy. */
const whomOf = ({ policy: { logs, issuers } }: NamedPolicy): string =>
  plainLine([...logs, ...issuers].map(({ name }) => name).join(', '), 200)

/** Says of policies that came with the files whom the reader would trust. */
export const noticesTextOf = (texts: Texts, ignored: readonly NamedPolicy[]): readonly string[] =>
  ignored.slice(0, mostIgnored).map((one) => texts.ignored(nameOf(one), whomOf(one)))

/** Notices about the policies and bundles of the reader, and about policies that came with certificates. `use` is undefined if the page has a policy of its own. */
export const noticesOf = (
  texts: Texts,
  { bundles, policy, ignored, hasFiles }: ReturnType<Checker['given']> & { readonly hasFiles: boolean },
  use: ((policy: NamedPolicy | undefined) => void) | undefined,
): readonly HTMLElement[] => {
  const button = (text: string, chosen: NamedPolicy | undefined): HTMLElement | undefined =>
    use && h('button', { click: () => use(chosen) }, text)
  return [
    ...(policy === undefined
      ? []
      : [notice(texts.policyUsed(nameOf(policy)), button(texts.stopUsing, undefined))]),
    ...noticesTextOf(texts, ignored).map((text, at) => notice(text, button(texts.useAnyway, ignored[at]))),
    ...(bundles > 0 && !hasFiles ? [notice(texts.bundleReady)] : []),
  ]
}
