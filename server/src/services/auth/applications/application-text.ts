import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'

type Text = { readonly name: string; readonly description: string }
type GivenText = { readonly name?: string; readonly description?: string }

/** Some clients send only a name, some only a description: the one that is missing becomes equal to the other. */
export const textOf = ({ name, description }: GivenText): Text => {
  const either = isGiven(name) ? name : description
  if (!isGiven(either)) {
    throw new Problem('validation_failed', { reasons: [because('name_or_description_required')] })
  }
  return { name: either, description: description ?? either }
}

/** As long as name and description are equal, changing one changes both. */
export const changedText = (before: Text, { name, description }: GivenText): Text => {
  const areEqual = before.name === before.description
  return {
    name: [name, areEqual ? description : undefined].find(isGiven) ?? before.name,
    description: description ?? (areEqual && isGiven(name) ? name : before.description),
  }
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text.trim() !== ''
