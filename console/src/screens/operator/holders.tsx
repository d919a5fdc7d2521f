import type { LogStatus } from '@millseal/contract'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { type Line, Table } from '../../ui/list/table.tsx'
import { Card } from '../../ui/screen.tsx'

/** The cosigners of each log: how much each has signed, and since when. */
export const Holders = ({ logs }: { readonly logs: readonly LogStatus[] }) => {
  const t = useTexts('health')
  const { number, time } = useFormats()
  const isAlone = logs.every(({ holders }) => holders === undefined)
  const lines = logs.flatMap(
    ({ mode, origin, operator, entries = 0, checkpointAt, holders = [] }): Line[] => [
      {
        id: mode,
        cells: [
          <b>{t.names[mode]}</b>,
          <>
            {t.thisService}
            <span className="below">{origin}</span>
            <span className="below">{operator}</span>
          </>,
          number(entries),
          checkpointAt === undefined ? '–' : time(checkpointAt),
          '–',
        ],
      },
      ...holders.map(({ name, key, since, entries: signed, signedAt }) => ({
        id: `${mode} ${name}`,
        tone: (signed ?? 0) < entries ? ('warn' as const) : undefined,
        cells: [
          t.names[mode],
          <>
            <b>{name}</b>
            <span className="below">{key}</span>
          </>,
          signed === undefined ? t.neverSigned : number(signed),
          signedAt === undefined ? '–' : time(signedAt),
          since === undefined ? '–' : time(since),
        ],
      })),
    ],
  )
  return (
    <Card title={t.holders}>
      <p>{isAlone ? t.alone : t.holdersText}</p>
      <Table label={t.holders} columns={[t.logColumn, t.holder, t.upTo, t.signedAt, t.since]} lines={lines} />
    </Card>
  )
}
