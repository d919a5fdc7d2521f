import type { Pack } from '@millseal/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card, Empty, Fold, Screen as Frame, Loading } from '../../ui/screen.tsx'
import { OperatorsOnly } from './operators-only.tsx'
import { Table } from '../../ui/list/table.tsx'
import { UploadPack } from './upload-pack.tsx'

export const Screen = () => (
  <OperatorsOnly>
    <Schemas />
  </OperatorsOnly>
)

const Schemas = () => {
  const t = useTexts('operator').schemas
  return (
    <Frame title={t.title}>
      <p className="muted">{t.intro}</p>
      <UploadPack />
      <Packs />
      <EverySchema />
    </Frame>
  )
}

const packsQuery = {
  queryKey: ['operator', 'packs'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => api.listPacks({ signal }),
}

const Packs = () => {
  const t = useTexts('operator').schemas
  const { data, error, refetch } = useQuery(packsQuery)
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  if (data.length === 0)
    return (
      <Empty title={t.noPacks}>
        <p>{t.noPacksText}</p>
      </Empty>
    )
  return data.toReversed().map((pack) => <OnePack key={pack.name} pack={pack} />)
}

const titleOf = ({ schemas }: Pack): string =>
  [...new Set(schemas.map(({ type, version }) => `${type} ${version}`))].join(', ')

const OnePack = ({ pack }: { readonly pack: Pack }) => {
  const t = useTexts('operator').schemas
  const common = useTexts('common')
  const { time } = useFormats()
  const queries = useQueryClient()
  const title = titleOf(pack)
  const remove = async () => {
    await api.removePack({ params: { name: pack.name } })
    await queries.invalidateQueries({ queryKey: ['operator', 'packs'] })
  }
  return (
    <Card
      title={title}
      actions={
        <Confirm
          trigger={
            <Button kind="danger" aria-label={`${t.remove}: ${title}`}>
              {t.remove}
            </Button>
          }
          title={t.removeTitle}
          consequence={t.removeText(title)}
          action={t.remove}
          onConfirm={remove}
        />
      }
    >
      <p className="muted">
        {t.importedAt(time(pack.importedAt))} · <span className="mono">{pack.name}</span>
      </p>
      <Table
        label={title}
        columns={[t.type, t.version, t.translations, t.address]}
        lines={pack.schemas.map((schema) => ({
          id: schema.id,
          cells: [
            schema.type,
            schema.version,
            schema.hasTranslations ? common.yes : common.no,
            <span className="mono">{schema.id}</span>,
          ],
        }))}
      />
    </Card>
  )
}

const EverySchema = () => {
  const t = useTexts('operator').schemas
  const { data } = useQuery({
    queryKey: ['schemas of the service'],
    queryFn: ({ signal }) => api.listCertificateSchemas({ signal }),
    staleTime: 600_000,
  })
  if (data === undefined) return null
  const kinds = Object.entries(data).filter(([name, versions]) => name !== 'names' && versions.length > 0)
  return (
    <Card>
      <Fold title={t.every}>
        <Table
          label={t.every}
          columns={[t.type, t.version]}
          lines={kinds.map(([name, versions]) => ({
            id: name,
            cells: [name.replace(/-schemas$/, ''), versions.toReversed().join(', ')],
          }))}
        />
      </Fold>
    </Card>
  )
}
