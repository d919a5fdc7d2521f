import type { ListedRequirement } from '@millseal/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { pagesOf } from '../../ui/list/pages.ts'
import { Remove } from '../../ui/list/remove.tsx'
import { Rows } from '../../ui/list/rows.tsx'
import { Table } from '../../ui/list/table.tsx'
import { Empty, Screen as Frame } from '../../ui/screen.tsx'

const requirementsQuery = (company: string) =>
  pagesOf(['requirements', company, 'list'], ({ after, ...call }) =>
    api.listRequirements({ company, query: { limit: 100, ...after }, ...call }),
  )

/** The requirements of the company. */
export const Screen = () => {
  const t = useTexts('requirements')
  const { company, may } = useHere()
  const list = useInfiniteQuery(requirementsQuery(company))
  return (
    <Frame
      title={t.title}
      actions={
        may('keepRequirement') && (
          <Link to="/requirements/$id" params={{ id: 'new' }} className="button primary">
            {t.add}
          </Link>
        )
      }
    >
      <p className="muted">{t.intro}</p>
      <Rows
        list={list}
        empty={
          <Empty title={t.none}>
            <p>{t.noneText}</p>
            <p>{t.noneExample}</p>
          </Empty>
        }
      >
        {(requirements) => <List requirements={requirements} />}
      </Rows>
    </Frame>
  )
}

const List = ({ requirements }: { readonly requirements: readonly ListedRequirement[] }) => {
  const t = useTexts('requirements')
  const { date } = useFormats()
  return (
    <Table
      label={t.title}
      columns={[t.name, t.rules, t.since, t.version, t.actions]}
      lines={requirements.map((requirement) => {
        const { id, name, rules, createdAt, hash } = requirement
        return {
          id,
          cells: [
            <Link to="/requirements/$id" params={{ id }}>
              {name}
            </Link>,
            String(rules),
            date(createdAt),
            <span className="mono" title={hash}>
              {hash.slice(0, 12)}
            </span>,
            <RemoveRequirement requirement={requirement} />,
          ],
        }
      })}
    />
  )
}

const RemoveRequirement = ({ requirement: { id, name } }: { readonly requirement: ListedRequirement }) => {
  const t = useTexts('requirements')
  const { company, may } = useHere()
  if (!may('deleteRequirement')) return null
  const remove = () => api.deleteRequirement({ company, params: { id } })
  return <Remove words={t} name={name} list="requirements" remove={remove} />
}
