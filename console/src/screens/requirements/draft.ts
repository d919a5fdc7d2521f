import type { KeptRequirement } from '@millseal/contract'
import type { Requirement, RequirementRule } from '@millseal/contract/requirements'
import {
  emptyRow,
  isEmptyRow,
  type RequirementRow,
  rowOfRule,
  ruleOfRow,
} from '@millseal/contract/requirement-table'

/** A requirement as somebody types it. */
export type Draft = {
  readonly name: string
  /** One a line. */
  readonly basis: string
  readonly includes: string
  readonly order: string
  /** The accepted types of document, with commas. */
  readonly document: string
  readonly rows: readonly RequirementRow[]
  /** The rules that say more than a row can, as JSON. */
  readonly further: string
  /** The members that the screen does not show. */
  readonly rest: Readonly<Record<string, unknown>>
}

const emptyRows = 3

export const newDraft: Draft = {
  name: '',
  basis: '',
  includes: '',
  order: '',
  document: '',
  rows: Array.from({ length: emptyRows }, () => emptyRow),
  further: '',
  rest: {},
}

export const draftOf = (kept: KeptRequirement): Draft => {
  // The server has read it in the format.
  const requirement = kept.requirement as Requirement
  const { name, basis = [], includes = [], order = '', document = [], rules, ...rest } = requirement
  const further = rules.filter((rule) => rowOfRule(rule) === undefined)
  return {
    name,
    basis: basis.join('\n'),
    includes: includes.join('\n'),
    order,
    document: document.join(','),
    rows: rules.flatMap((rule) => rowOfRule(rule) ?? []),
    further: further.length === 0 ? '' : JSON.stringify(further, undefined, 2),
    rest,
  }
}

/** Without its empty rows: the server names rules by their place. */
export const withoutEmptyRows = (draft: Draft): Draft => ({
  ...draft,
  rows: draft.rows.filter((row) => !isEmptyRow(row)),
})

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Throws a SyntaxError if the further rules are no JSON list. */
export const requirementOf = (draft: Draft): Record<string, unknown> => {
  const { name, rows, further, rest } = withoutEmptyRows(draft)
  const more = further.trim() === '' ? [] : readRules(further)
  const lists = {
    basis: linesOf(draft.basis),
    includes: linesOf(draft.includes),
    document: draft.document === '' ? [] : draft.document.split(','),
  }
  const given = Object.entries(lists).filter(([, list]) => list.length > 0)
  const order = draft.order.trim() === '' ? {} : { order: draft.order.trim() }
  return {
    ...rest,
    name: name.trim(),
    ...Object.fromEntries(given),
    ...order,
    rules: [...rows.map(ruleOfRow), ...more],
  }
}

const readRules = (text: string): readonly RequirementRule[] => {
  const read: unknown = JSON.parse(text)
  if (Array.isArray(read)) return read as readonly RequirementRule[]
  throw new SyntaxError('not a list')
}
