import { languageTag } from '../labels/labels.ts'
import { families } from '../families/index.ts'
import type { Certificate } from './read-certificate.ts'

const maxLanguages = 2

/** The languages that the certificate asks for (BCP 47), at most two; English if it names none. */
export const languagesOf = ({ json }: Certificate): readonly string[] => {
  // Certificates of imported types may say it as one of the families does.
  const named = families.flatMap((family) => family.languages(json))
  const tags = named.filter((name) => /^[a-z]{2,3}(-[a-z]{2,4})?$/i.test(name)).map(languageTag)
  const languages = [...new Set(tags)].slice(0, maxLanguages)
  return languages.length === 0 ? ['en'] : languages
}
