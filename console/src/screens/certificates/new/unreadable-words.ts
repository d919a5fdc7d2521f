import { useTexts } from '../../../texts/catalog.ts'
import { useServerWords } from '../../../texts/server-words.ts'
import type { Unreadable } from './entry.ts'

/** Says that a file is no certificate, and what to do. */
export const useUnreadableWords = (): ((unreadable: Unreadable) => string) => {
  const t = useTexts('files')
  const inWords = useServerWords()
  return ({ kind, reason = '', because }) =>
    ({
      json: t.unreadableAt(inWords(reason, because && [because])),
      list: t.isList,
      certificate: t.notCertificate,
      pdf: t.isForeignPdf,
      picture: t.isPicture,
    })[kind]
}
