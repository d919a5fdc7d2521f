import { useTexts } from '../../texts/catalog.ts'
import { useFindingWords } from '../../texts/server-words.ts'
import { Problem } from '../../ui/problem.tsx'
import { faultsOf } from './refusal.ts'

/** The faults of a requirement that was not kept, with their rows and columns as the table names them. */
export const Refused = ({ error, rows }: { readonly error: unknown; readonly rows: number }) => {
  const t = useTexts('requirements')
  const inWords = useFindingWords()
  if (error instanceof SyntaxError)
    return (
      <div className="notice bad" role="alert">
        <p>
          <strong>{t.furtherNoJson}</strong>
        </p>
      </div>
    )
  const faults = faultsOf(error, rows)
  if (faults === undefined) return <Problem error={error} title={t.notSaved} />
  return (
    <div className="notice bad" role="alert">
      <p>
        <strong>{t.notSaved}</strong>
      </p>
      <ul>
        {faults.map(({ because, detail, row, column, pointer }, at) => {
          const words = inWords({ reason: detail, because })
          const place =
            row === undefined || column === undefined ? pointer : t.cell(t.columns[column], row + 1)
          return <li key={`${at} ${pointer}`}>{`${place}: ${words}`}</li>
        })}
      </ul>
    </div>
  )
}
