import { useTexts } from '../../../texts/catalog.ts'
import { useServerWords } from '../../../texts/server-words.ts'

/** `/Certificate/CommercialTransaction/A03 must be a string (Document number)` */
const sentence = /^(\/\S*) (.+?)(?: \(([^()]+)\))?$/

type Finding = { readonly place: string; readonly reason: string; readonly label: string | undefined }

const readFinding = (detail: string): Finding => {
  const [, pointer, reason, label] = sentence.exec(detail) ?? []
  if (pointer === undefined || reason === undefined) return { place: '', reason: detail, label: undefined }
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return { place: parts.filter((part) => part !== '' && part !== 'Certificate').join(' › '), reason, label }
}

/** The findings, each with the place of the certificate that it is about. */
export const Findings = ({ details }: { readonly details: readonly string[] }) => {
  const t = useTexts('files')
  const inWords = useServerWords()
  return (
    <ul className="findings">
      {details.map((detail) => {
        const { place, reason, label } = readFinding(detail)
        return (
          <li key={detail}>
            {label !== undefined && <b>{label} </b>}
            <span className="mono">{place === '' ? t.wholeCertificate : place}</span> {inWords(reason)}
          </li>
        )
      })}
    </ul>
  )
}
