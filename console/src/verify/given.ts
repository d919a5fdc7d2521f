import type { Checker } from './checker.ts'
import { h } from './dom.ts'
import type { NamedPolicy } from './read-file.ts'
import type { Texts } from './texts/texts.ts'

export const notice = (text: string, button?: HTMLElement): HTMLElement =>
  h('p', { class: 'notice' }, `${text} `, button)

/** Whom a policy would make the reader trust. */
const whomOf = ({ policy: { logs, issuers } }: NamedPolicy): string =>
  [...logs, ...issuers].map(({ name }) => name).join(', ')

type Given = ReturnType<Checker['given']> & { readonly hasFiles: boolean }

/** What the reader gave beside certificates, and what came with them. `use` is undefined if the page has a policy of its own. */
export const noticesOf = (
  texts: Texts,
  { bundles, policy, ignored, hasFiles }: Given,
  use: ((policy: NamedPolicy | undefined) => void) | undefined,
): readonly HTMLElement[] => {
  const button = (text: string, chosen: NamedPolicy | undefined): HTMLElement | undefined =>
    use && h('button', { click: () => use(chosen) }, text)
  return [
    ...(policy === undefined
      ? []
      : [notice(texts.policyUsed(policy.name), button(texts.stopUsing, undefined))]),
    ...ignored.map((one) => notice(texts.ignored(one.name, whomOf(one)), button(texts.useAnyway, one))),
    ...(bundles > 0 && !hasFiles ? [notice(texts.bundleReady)] : []),
  ]
}
