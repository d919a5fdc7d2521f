import type { LedgerNode, Mode } from '@millseal/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useServerWords } from '../../texts/server-words.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card, Loading } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { NodeForm } from './node-form.tsx'
import { Table } from '../../ui/list/table.tsx'

type OfMode = { readonly mode: Mode }

const nodesQuery = (mode: Mode) => ({
  queryKey: ['operator', 'nodes', mode],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    api.listNodes({ query: { mode, limit: 100 }, signal }),
})

export const Nodes = ({ mode }: OfMode) => {
  const t = useTexts('operator').networks
  const { data, error, refetch } = useQuery(nodesQuery(mode))
  return (
    <Card title={t.nodes[mode]} actions={<NodeForm mode={mode} />}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Loading />
      ) : data.length === 0 ? (
        <p>
          <b>{t.none}.</b> {t.noneText}
        </p>
      ) : (
        <List mode={mode} nodes={data} />
      )}
    </Card>
  )
}

const List = ({ mode, nodes }: OfMode & { readonly nodes: readonly LedgerNode[] }) => {
  const t = useTexts('operator')
  const { networks } = t
  return (
    <Table
      label={networks.nodes[mode]}
      columns={[networks.node, networks.address, networks.state, networks.reach, t.action]}
      lines={nodes.map((node) => ({
        id: node.id,
        cells: [
          <>
            <b>{node.name}</b>
            <span className="muted below">
              {networks.coinType} {node.coinType}
            </span>
          </>,
          node.connectionUrl === 'embedded' ? (
            networks.embedded
          ) : (
            <span className="mono">{node.connectionUrl}</span>
          ),
          <State kind={node.status === 'active' ? 'good' : 'gone'}>{t.activity[node.status]}</State>,
          <Health node={node} />,
          <Actions node={node} nodes={nodes} />,
        ],
      }))}
    />
  )
}

type OfNode = { readonly node: LedgerNode }

/** The server asks the node itself, which can take seconds. */
const Health = ({ node: { id, mode } }: OfNode) => {
  const inWords = useServerWords()
  const t = useTexts('operator').networks
  const { data, error } = useQuery({
    queryKey: ['operator', 'nodes', mode, id],
    queryFn: ({ signal }) => api.readNode({ params: { id }, query: { mode }, signal }),
    refetchInterval: 30_000,
  })
  if (data?.health === undefined) return error === null ? t.asking : '–'
  const { reachable, error: reason, reasons } = data.health
  return (
    <>
      <State kind={reachable ? 'good' : 'bad'}>{reachable ? t.reachable : t.unreachable}</State>
      {reason !== undefined && <span className="muted below">{inWords(reason, reasons)}</span>}
    </>
  )
}

const Actions = ({ node, nodes }: OfNode & { readonly nodes: readonly LedgerNode[] }) => {
  const t = useTexts('operator').networks
  const queries = useQueryClient()
  const { id, mode, name, status, coinType } = node
  const previous = nodes.find((one) => one.status === 'active' && one.coinType === coinType)
  const after = async (call: Promise<unknown>) => {
    await call
    await queries.invalidateQueries({ queryKey: ['operator', 'nodes', mode] })
  }
  const call = { params: { id }, query: { mode } }
  return (
    <span className="row">
      {status === 'inactive' && (
        <Confirm
          trigger={<Button aria-label={`${t.activate}: ${name}`}>{t.activate}</Button>}
          title={t.activateTitle(name)}
          consequence={t.activateText(name, previous?.name)}
          action={t.activate}
          onConfirm={() => after(api.updateNode({ ...call, body: { status: 'active' } }))}
        />
      )}
      <NodeForm mode={mode} node={node} />
      <Confirm
        trigger={<Button aria-label={`${t.remove}: ${name}`}>{t.remove}</Button>}
        title={t.removeTitle(name)}
        consequence={t.removeText(name)}
        action={t.remove}
        typed={name}
        onConfirm={() => after(api.deleteNode(call))}
      />
    </span>
  )
}
