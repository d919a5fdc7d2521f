import type { CertificateFamily, CompanyLook, LookSettings } from '@millseal/contract'

export const optionalParts = [
  'Contacts',
  'InternalOrderId',
  'InternalOrderPosition',
  'GoodsReceiptId',
  'Transport',
  'PropertiesStandard',
  'URL',
  'TechnicalData',
] as const

/** The typed values, which may not be usable yet. */
export type Draft = {
  readonly accent: string
  readonly footer: Readonly<Record<string, string>>
  readonly sections: readonly string[]
  readonly hidden: readonly string[]
  readonly codes: string
  readonly useLogo: 'missing' | 'always'
}

const isPart = (name: string): boolean => optionalParts.some((part) => part === name)

export const toDraft = (look: CompanyLook): Draft => ({
  accent: look.accent ?? '',
  footer: look.footer ?? {},
  sections: look.sections ?? [],
  hidden: (look.hidden ?? []).filter(isPart),
  codes: (look.hidden ?? []).filter((name) => !isPart(name)).join(', '),
  useLogo: look.useLogo ?? 'missing',
})

export const isAccent = (text: string): boolean => text === '' || /^#[0-9a-f]{6}$/i.test(text)

const listOf = (codes: string): readonly string[] => codes.split(/[\s,;]+/).filter((code) => code !== '')

export const areCodes = (codes: string): boolean =>
  listOf(codes).every((code) => /^A(?:[1-8]\d|9[0-5])$/.test(code))

/** Undefined if the server would refuse it. An empty value is left out, so that the one for all receivers counts. */
export const toSettings = (draft: Draft): LookSettings | undefined => {
  const { accent, codes, useLogo } = draft
  if (!isAccent(accent) || !areCodes(codes)) return undefined
  const footer = Object.fromEntries(Object.entries(draft.footer).filter(([, text]) => text.trim() !== ''))
  const hidden = [...draft.hidden, ...listOf(codes)]
  return {
    accent: accent || undefined,
    footer: Object.keys(footer).length > 0 ? footer : undefined,
    sections: draft.sections.length > 0 ? [...draft.sections] : undefined,
    hidden: hidden.length > 0 ? hidden : undefined,
    useLogo: useLogo === 'always' ? useLogo : undefined,
  }
}

/** All movable sections of a family, those with a place first. */
export const orderOf = (
  { sections: known }: CertificateFamily,
  sections: readonly string[],
): CertificateFamily['sections'] => {
  const placed = sections.flatMap((name) => known.filter((each) => each.name === name))
  return [...placed, ...known.filter((each) => !placed.includes(each))]
}

/** Moves a section of the family by one place; the order of other families stays. */
export const move = (
  draft: Draft,
  { family, name, by }: { readonly family: CertificateFamily; readonly name: string; readonly by: -1 | 1 },
): Draft => {
  const order = orderOf(family, draft.sections).map((section) => section.name)
  const from = order.indexOf(name)
  order.splice(from, 1)
  order.splice(from + by, 0, name)
  const others = draft.sections.filter((each) => !order.includes(each))
  return { ...draft, sections: [...others, ...order] }
}
