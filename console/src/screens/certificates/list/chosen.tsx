import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice, Problem } from '../../../ui/problem.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { zipOf } from './export.ts'
import { StopButton } from './stop-button.tsx'
import { useJob } from './use-job.ts'
import type { Rows } from './use-rows.ts'
import type { Selection } from './use-selection.ts'

/** Loaded where something waits for a release. */
const ReleaseChosen = lazy(async () => ({ default: (await import('./release-chosen.tsx')).ReleaseChosen }))

/** An archive is made in memory. */
const mostAtOnce = 500

/** The actions for the selected certificates, at the lower edge of the window. */
export const Chosen = ({
  company,
  list,
  selection,
}: {
  readonly company: string
  readonly list: Rows
  readonly selection: Selection
}) => {
  const t = useTexts('certificates')
  const { number } = useFormats()
  const job = useJob()
  const [missing, setMissing] = useState(0)
  const [unreleased, setUnreleased] = useState(0)
  const chosen = list.rows.filter(({ id }) => selection.ids.has(id))
  const waiting = chosen.filter(({ state }) => state === 'awaitingRelease')
  const save = () =>
    job.start(async ({ signal, say }) => {
      setMissing(0)
      const onFile = (done: number, all: number) => say(t.zipping(number(done), number(all)))
      const made = await zipOf(chosen, { company, signal, onFile })
      setMissing(made.missing)
      saveFile(`${t.zipName} ${new Date().toISOString().slice(0, 10)}.zip`, made.zip)
    })
  if (chosen.length === 0) return null
  return (
    <div className="chosen stack" role="region" aria-label={t.selected(number(chosen.length))}>
      {job.error !== undefined && <Problem error={job.error} />}
      {unreleased > 0 && <Notice kind="warn">{t.release.notReleased(unreleased)}</Notice>}
      {missing > 0 && <Notice kind="warn">{t.zipFailed(missing)}</Notice>}
      <div className="row">
        <b>{t.selected(number(chosen.length))}</b>
        <Button kind="quiet" onPress={() => selection.add(list.rows.map(({ id }) => id))}>
          {t.selectAll}
        </Button>
        <Button kind="quiet" onPress={selection.clear}>
          {t.clearSelection}
        </Button>
        <span className="end row" role="status">
          {chosen.length > mostAtOnce && t.zipTooMany(number(mostAtOnce))}
          {job.progress}
          {job.progress === undefined && waiting.length > 0 && (
            <Suspense>
              <ReleaseChosen waiting={waiting} job={job} onRefused={setUnreleased} />
            </Suspense>
          )}
          {job.progress === undefined ? (
            <Button kind="primary" onPress={save} isDisabled={chosen.length > mostAtOnce}>
              {t.downloadZip}
            </Button>
          ) : (
            <StopButton onStop={job.stop} />
          )}
        </span>
      </div>
    </div>
  )
}
