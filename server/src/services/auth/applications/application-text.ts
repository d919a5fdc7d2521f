import { Problem } from '../../../lib/problem.ts'

type Text = { readonly name: string; readonly description: string }
type GivenText = { readonly name?: string; readonly description?: string }

/** Clients know one of name and description: each stands in for the other. */
export const textOf = ({ name, description }: GivenText): Text => {
  const either = isGiven(name) ? name : description
  if (!isGiven(either)) {
    throw new Problem('validation_failed', { details: ['/name or /description is required'] })
  }
  return { name: either, description: description ?? either }
}

/** While both say the same, whoever changes one of them means both. */
export const changedText = (before: Text, { name, description }: GivenText): Text => {
  const isOne = before.name === before.description
  return {
    name: [name, isOne ? description : undefined].find(isGiven) ?? before.name,
    description: description ?? (isOne && isGiven(name) ? name : before.description),
  }
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text.trim() !== ''
