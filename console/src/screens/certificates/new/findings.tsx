import type { Finding } from '../../../api/findings.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { useFindingWords } from '../../../texts/server-words.ts'

/** `/Certificate/CommercialTransaction/A03` as people read it. */
const placeOf = (pointer: string): string =>
  pointer
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .filter((part) => part !== '' && part !== 'Certificate')
    .join(' › ')

/** The findings, each with the place of the certificate that it is about. */
export const Findings = ({ findings }: { readonly findings: readonly Finding[] }) => {
  const t = useTexts('files')
  const inWords = useFindingWords()
  return (
    <ul className="findings">
      {findings.map((finding) => {
        const { pointer, reason, label } = finding
        const place = placeOf(pointer)
        return (
          <li key={`${pointer} ${reason}`}>
            {label !== undefined && <b>{label} </b>}
            <span className="mono">{place === '' ? t.wholeCertificate : place}</span> {inWords(finding)}
          </li>
        )
      })}
    </ul>
  )
}
