import { useLanguage, useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { writeCsv } from '../../../ui/csv.ts'
import { saveFile } from '../../../ui/save-file.ts'
import { readAll, rowsForCsv } from './export.ts'
import type { ListScope } from './list-query.ts'
import { StopButton } from './stop-button.tsx'
import { useJob } from './use-job.ts'

/** Saves everything that the search finds, not only what is loaded. */
export const ExportButton = ({
  scope,
  nameOfIdentity,
  kindName,
}: {
  readonly scope: ListScope
  readonly nameOfIdentity: (id: string) => string | undefined
  readonly kindName: (refSchemaUrl: string) => string
}) => {
  const t = useTexts('certificates')
  const language = useLanguage()
  const { number } = useFormats()
  const job = useJob()
  const save = () =>
    job.start(async ({ signal, say }) => {
      const onPage = (count: number) => say(t.exporting(number(count)))
      const all = await readAll(scope, { signal, onPage })
      const words = { columns: t.csvColumns, states: t.states, kindName, nameOfIdentity }
      const day = new Date().toISOString().slice(0, 10)
      saveFile(`${t.csvName} ${day}.csv`, writeCsv(rowsForCsv(all, words), language))
    })
  return (
    <>
      {job.error !== undefined && <Problem error={job.error} />}
      {job.progress === undefined ? (
        <Button onPress={save}>{t.exportCsv}</Button>
      ) : (
        <span className="row" role="status">
          {job.progress}
          <StopButton onStop={job.stop} />
        </span>
      )}
    </>
  )
}
