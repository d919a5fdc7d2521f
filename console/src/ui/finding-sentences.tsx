import type { Finding } from '../api/findings.ts'
import { useFindingWords } from '../texts/server-words.ts'

/** Each finding of the self-check in one sentence, which names heat, property and both numbers. */
export const FindingSentences = ({ findings }: { readonly findings: readonly Finding[] }) => {
  const inWords = useFindingWords()
  return (
    <ul className="findings amber">
      {findings.map((finding, at) => (
        <li key={`${at} ${finding.pointer}`}>{inWords(finding)}</li>
      ))}
    </ul>
  )
}
