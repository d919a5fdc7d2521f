import type { KeptOrderLine } from '@millseal/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { FileTrigger } from 'react-aria-components'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { pagesOf } from '../../ui/list/pages.ts'
import { Remove } from '../../ui/list/remove.tsx'
import { Rows } from '../../ui/list/rows.tsx'
import { Table } from '../../ui/list/table.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Empty, Screen as Frame } from '../../ui/screen.tsx'
import { PasteDialog } from '../form/paste-dialog.tsx'
import { useImport } from './use-import.ts'

const linesQuery = (company: string) =>
  pagesOf(['orders', company], ({ after, ...call }) =>
    api.listOrderLines({ company, query: { limit: 100, ...after }, ...call }),
  )

/** The order lines of the company, and how they come in: pasted, or from a CSV file. */
export const Screen = () => {
  const t = useTexts('orders')
  const { company, may } = useHere()
  const list = useInfiniteQuery(linesQuery(company))
  const { take, kept, unknown, error } = useImport()
  return (
    <Frame
      title={t.title}
      actions={
        may('keepOrderLines') && (
          <>
            <PasteDialog title={t.lines} onTake={(text) => void take(text)} />
            <FileTrigger
              acceptedFileTypes={['.csv', 'text/csv', 'text/plain']}
              onSelect={(files) => void files?.[0]?.text().then(take)}
            >
              <Button kind="primary">{t.chooseFile}</Button>
            </FileTrigger>
          </>
        )
      }
    >
      <p className="muted">{t.intro}</p>
      <p role="status">{kept !== undefined && t.kept(kept)}</p>
      {unknown.length > 0 && <p role="status">{t.unknownColumns(unknown.join(', '))}</p>}
      {error !== null && <Problem error={error} title={t.notKept} />}
      <Rows
        list={list}
        empty={
          <Empty title={t.none}>
            <p>{t.noneText}</p>
          </Empty>
        }
      >
        {(lines) => <List lines={lines} />}
      </Rows>
    </Frame>
  )
}

const List = ({ lines }: { readonly lines: readonly KeptOrderLine[] }) => {
  const t = useTexts('orders')
  return (
    <Table
      label={t.title}
      columns={Object.values(t.columns)}
      lines={lines.map((line) => ({
        id: line.id,
        cells: [
          <b>{line.order}</b>,
          line.item ?? '–',
          line.grade ?? '–',
          line.dimensions ?? '–',
          line.quantity === undefined ? '–' : `${line.quantity} ${line.unit}`,
          line.heats?.join(', ') ?? '–',
          line.requirement ?? '–',
          <RemoveLine line={line} />,
        ],
      }))}
    />
  )
}

const RemoveLine = ({ line: { id, order, item } }: { readonly line: KeptOrderLine }) => {
  const t = useTexts('orders')
  const { company, may } = useHere()
  if (!may('deleteOrderLine')) return null
  const name = item === undefined ? order : `${order} · ${item}`
  const remove = () => api.deleteOrderLine({ company, params: { id } })
  return <Remove words={t} name={name} list="orders" remove={remove} />
}
