import type { FailedJob } from '@millseal/contract'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { HealthSearch } from './searches.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { useServerWords } from '../../texts/server-words.ts'
import { Button } from '../../ui/button.tsx'
import { ReadingDialog } from '../../ui/reading-dialog.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { Card, Facts } from '../../ui/screen.tsx'
import { FilterChip, Finder } from '../../ui/list/finder.tsx'
import { Nothing } from '../../ui/list/nothing.tsx'
import { pagesOf } from '../../ui/list/pages.ts'
import { Rows, useFound } from '../../ui/list/rows.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useNarrowing } from '../../ui/list/use-narrowing.ts'

const jobsQuery = (kind: string | undefined) =>
  pagesOf(['operator', 'jobs', kind], ({ after, ...call }) =>
    api.listFailedJobs({ query: { limit: 50, ...after, kind }, ...call }),
  )

/** Jobs that failed for good, with their reasons and a way to run them again. */
export const FailedJobs = () => {
  const t = useTexts('health')
  const { kind }: HealthSearch = useSearch({ strict: false })
  const list = useInfiniteQuery({ ...jobsQuery(kind), refetchInterval: 30_000 })
  const [started, setStarted] = useState<string>()
  const narrow = useNarrowing<HealthSearch>()
  const reset = () => narrow({ kind: undefined })
  const found = useFound(list)
  const isUnused = kind === undefined && list.data?.pages[0]?.rows.length === 0
  return (
    <Card title={t.jobsTitle}>
      <p className="muted">{t.jobsText}</p>
      {!isUnused && (
        <Finder label={t.jobsTitle} found={found} isNarrowed={kind !== undefined} onReset={reset}>
          <Kinds chosen={kind} />
        </Finder>
      )}
      {started !== undefined && (
        <Notice kind="good">
          <p>{t.runs(started)}</p>
        </Notice>
      )}
      <Rows
        list={list}
        empty={
          <Nothing isNarrowed={kind !== undefined} onReset={reset}>
            <p>
              <b>{t.noJobs}.</b> {t.noJobsText}
            </p>
          </Nothing>
        }
      >
        {(jobs) => <List jobs={jobs} onStarted={setStarted} />}
      </Rows>
    </Card>
  )
}

const Kinds = ({ chosen }: { readonly chosen: string | undefined }) => {
  const t = useTexts('health')
  const narrow = useNarrowing<HealthSearch>()
  const { data } = useInfiniteQuery(jobsQuery(undefined))
  const kinds = new Set(data?.pages.flatMap(({ rows }) => rows.map(({ kind }) => kind)))
  if (chosen !== undefined) kinds.add(chosen)
  if (kinds.size < 2 && chosen === undefined) return null
  return (
    <FilterChip
      label={t.kind}
      any={t.allKinds}
      options={[...kinds].toSorted().map((kind) => ({ id: kind, label: kind }))}
      value={chosen}
      onChange={(kind) => narrow({ kind })}
    />
  )
}

type OnStarted = { readonly onStarted: (kind: string) => void }

const List = ({ jobs, onStarted }: OnStarted & { readonly jobs: readonly FailedJob[] }) => {
  const t = useTexts('health')
  const { action } = useTexts('operator')
  const { time, number } = useFormats()
  const inWords = useServerWords()
  return (
    <Table
      label={t.jobsTable}
      columns={[t.kind, t.failedAt, t.attempts, t.error, action]}
      lines={jobs.map((job) => ({
        id: job.id,
        cells: [
          <b>{job.kind}</b>,
          time(job.failedAt),
          number(job.attempts),
          <span className="written">{inWords(job.error, job.reasons)}</span>,
          <span className="row">
            <ReadJob job={job} />
            <RunAgain job={job} onStarted={onStarted} />
          </span>,
        ],
      }))}
    />
  )
}

const ReadJob = ({ job }: { readonly job: FailedJob }) => {
  const t = useTexts('health')
  const { time, number } = useFormats()
  const inWords = useServerWords()
  return (
    <ReadingDialog
      title={t.readTitle(job.kind)}
      trigger={<Button aria-label={`${t.read}: ${job.kind}, ${time(job.failedAt)}`}>{t.read}</Button>}
    >
      <p className="written">{inWords(job.error, job.reasons)}</p>
      <Facts
        facts={[
          [t.created, time(job.createdAt)],
          [t.failedAt, time(job.failedAt)],
          [t.attempts, number(job.attempts)],
          [t.id, <span className="mono">{job.id}</span>],
        ]}
      />
      <pre className="details" tabIndex={0} aria-label={t.data}>
        {JSON.stringify(job.data, null, 2)}
      </pre>
    </ReadingDialog>
  )
}

const RunAgain = ({ job, onStarted }: OnStarted & { readonly job: FailedJob }) => {
  const t = useTexts('health')
  const { time } = useFormats()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.runJobAgain({ params: { id: job.id } }),
    async onSuccess() {
      onStarted(job.kind)
      await queries.invalidateQueries({ queryKey: ['operator'] })
    },
  })
  return (
    <>
      <Button
        isPending={isPending}
        onPress={() => mutate()}
        aria-label={`${t.runAgain}: ${job.kind}, ${time(job.failedAt)}`}
      >
        {t.runAgain}
      </Button>
      {error !== null && <Problem error={error} title={t.notRun} />}
    </>
  )
}
