import { isObject, type Json } from './json.ts'

/** An unfinished certificate, as this browser stores it. */
export type Draft = {
  readonly id: string
  /** Only this person finds it again, because others may use the same computer. */
  readonly owner: string
  readonly company: string
  readonly family: string
  readonly version: string
  readonly savedAt: string
  /** Number and customer, for the list of drafts. */
  readonly title: string
  readonly certificate: Json
  /** The parts that were added to the form. */
  readonly added: Json
  readonly identity?: string
  /** The id of the certificate to replace. */
  readonly replaces?: string
  /** The id of the certificate, once it was submitted. */
  readonly submitted?: string
}

const prefix = 'millseal.draft.'

const read = (key: string): Draft | undefined => {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isObject(value) && typeof value['id'] === 'string' ? (value as unknown as Draft) : undefined
  } catch {
    return undefined
  }
}

export const readDraft = (id: string, owner: string): Draft | undefined => {
  const draft = read(`${prefix}${id}`)
  return draft?.owner === owner ? draft : undefined
}

/** Newest first. */
export const listDrafts = (owner: string, company: string): readonly Draft[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => read(key) ?? [])
    .filter((draft) => draft.owner === owner && draft.company === company)
    .toSorted((one, other) => other.savedAt.localeCompare(one.savedAt))

/** False if the browser had no room for it. */
export const saveDraft = (draft: Draft): boolean => {
  try {
    localStorage.setItem(`${prefix}${draft.id}`, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export const deleteDraft = (id: string): void => localStorage.removeItem(`${prefix}${id}`)
