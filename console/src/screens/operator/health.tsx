import type { InstallationStatus } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Problem } from '../../ui/problem.tsx'
import { Card, Facts, Screen as Frame, Loading } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { FailedJobs } from './failed-jobs.tsx'
import { Holders } from './holders.tsx'
import { OperatorsOnly } from './operators-only.tsx'
import { type PartState as StateOfPart, partsOf, stateOf, usePartSentences } from './parts.ts'
import { Table } from '../../ui/list/table.tsx'

export const Screen = () => (
  <OperatorsOnly>
    <Health />
  </OperatorsOnly>
)

const refreshMs = 10_000
const kinds = { ok: 'good', degraded: 'swap', down: 'bad', off: 'gone', unasked: 'wait' } as const

const statusQuery = {
  queryKey: ['operator', 'status'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => api.readStatus({ signal }),
  refetchInterval: refreshMs,
}

const Health = () => {
  const t = useTexts('health')
  const { data, error, refetch, dataUpdatedAt } = useQuery(statusQuery)
  return (
    <Frame title={t.title} aside={data !== undefined && <PartState state={data.state} />}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Loading />
      ) : (
        <>
          <Status status={data} checkedAt={dataUpdatedAt} />
          <Holders logs={data.logs} />
        </>
      )}
      <FailedJobs />
    </Frame>
  )
}

const PartState = ({ state }: { readonly state: StateOfPart }) => (
  <State kind={kinds[state]}>{useTexts('health').states[state]}</State>
)

const Status = ({
  status,
  checkedAt,
}: {
  readonly status: InstallationStatus
  readonly checkedAt: number
}) => {
  const t = useTexts('health')
  const { clock } = useFormats()
  const sentences = usePartSentences()
  return (
    <Card title={t.overall[status.state]}>
      <Table
        label={t.parts}
        columns={[t.part, t.state, t.says]}
        lines={partsOf(status).map(({ name, part }) => ({
          id: name,
          cells: [
            <b>{t.names[name]}</b>,
            <PartState state={stateOf(status, name, part)} />,
            sentences(status, name).map((sentence) => (
              <span key={sentence} className="below">
                {sentence}
              </span>
            )),
          ],
        }))}
      />
      <Facts
        facts={[
          [t.version, status.version],
          [t.address, status.publicUrl],
          [t.checked, clock(checkedAt)],
        ]}
      />
    </Card>
  )
}
