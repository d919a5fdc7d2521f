import { plainLine } from './plain-line.ts'
import type { Report } from './report.ts'

const foreign = /[^\P{LC}\p{Script=Latin}]/u
/** The Cyrillic and Greek letters look like Latin ones, small or as capitals. */
const seemsLatin = /(?=\p{LC})\p{Script=Latin}|^[\P{LC}авеікмнорстухѕјьαβεζηικμνορτυχ]*$/iu

/** Whether a reader may take a letter for one of another alphabet. Scripts without capitals look like none of them. */
export const mixesAlphabets = (name: string): boolean => foreign.test(name) && seemsLatin.test(name)

/** The names that a verdict shows, if they are such. The VAT id identifies a company, a name does not. */
export const alphabetRemark = ({ facts }: Report): string | undefined => {
  const names = [facts?.issuer.name, facts?.issuer.selfName].filter((name) => name !== undefined)
  const found = names.find(mixesAlphabets)
  return found && `The name ${plainLine(found, 120)} has letters of several alphabets: compare the VAT id`
}
