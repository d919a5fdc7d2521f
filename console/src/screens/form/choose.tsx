import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { familiesQuery, suffix, useKindNames } from '../../api/families.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Card, Facts, Fold } from '../../ui/screen.tsx'
import { newestFirst, schemasQuery } from './begin.ts'
import { deleteDraft, listDrafts } from './drafts.ts'

type Props = { readonly owner: string; readonly company: string }

/** The kinds of certificates, and the drafts that this browser has. */
export const Choose = ({ owner, company }: Props) => {
  const t = useTexts('form')
  const { data } = useSuspenseQuery(schemasQuery)
  const known = useSuspenseQuery(familiesQuery).data.flatMap(({ types }) => types.map(({ type }) => type))
  // Types that the operator imported follow those of the families.
  const families = [...new Set([...known, ...Object.keys(data)])].flatMap((type) => {
    const versions = type.endsWith(suffix) ? newestFirst(data[type] ?? []) : []
    return versions.length === 0 ? [] : [{ family: type.slice(0, -suffix.length), versions }]
  })
  return (
    <>
      <p className="muted">{t.intro}</p>
      <Card title={t.kind}>
        <ul className="form-kinds">
          {families.map(({ family, versions }) => (
            <Kind key={family} family={family} versions={versions} />
          ))}
        </ul>
        <EarlierVersions families={families} />
      </Card>
      <Drafts owner={owner} company={company} />
    </>
  )
}

type Family = { readonly family: string; readonly versions: readonly string[] }

const Kind = ({ family, versions: [newest] }: Family) => {
  const { title, description } = useKindNames()(family)
  return (
    <li>
      <ToForm family={family} version={newest} className="form-kind">
        <b>{title}</b>
        <span className="muted">{description}</span>
      </ToForm>
    </li>
  )
}

/** Rarely wanted, so they are folded, for all kinds together. */
const EarlierVersions = ({ families }: { readonly families: readonly Family[] }) => {
  const t = useTexts('form')
  const nameOf = useKindNames()
  const earlier = families.filter(({ versions }) => versions.length > 1)
  if (earlier.length === 0) return null
  return (
    <Fold title={t.earlierVersions}>
      <Facts
        facts={earlier.map(({ family, versions }) => [
          nameOf(family).title,
          <span className="row">
            {versions.slice(1).map((version) => (
              <ToForm key={version} family={family} version={version}>
                {version}
              </ToForm>
            ))}
          </span>,
        ])}
      />
    </Fold>
  )
}

const ToForm = ({
  family,
  version,
  className,
  children,
}: {
  readonly family: string
  readonly version: string | undefined
  readonly className?: string
  readonly children: ReactNode
}) => (
  <Link
    to="/new/form"
    search={(former: object) => ({ ...former, family, version, draft: undefined })}
    {...(className !== undefined && { className })}
  >
    {children}
  </Link>
)

const Drafts = ({ owner, company }: Props) => {
  const t = useTexts('form')
  const format = useFormats()
  const nameOf = useKindNames()
  const [drafts, setDrafts] = useState(() => listDrafts(owner, company))
  if (drafts.length === 0) return null
  return (
    <Card title={t.drafts}>
      <p className="muted">{t.draftsHint}</p>
      <ul className="form-drafts">
        {drafts.map(({ id, title, family, savedAt }) => {
          const name = title === '' ? t.untitled : title
          return (
            <li key={id} className="row">
              <Link to="/new/form" search={(former: object) => ({ ...former, family: undefined, draft: id })}>
                {name}
              </Link>
              <span className="muted">
                {nameOf(family).title}, {format.time(savedAt)}
              </span>
              <span className="end">
                <Confirm
                  trigger={
                    <Button kind="quiet" aria-label={`${t.deleteDraft}: ${name}`}>
                      {t.deleteDraft}
                    </Button>
                  }
                  title={`${t.deleteDraft}: ${name}`}
                  consequence={t.deleteConsequence}
                  action={t.deleteDraft}
                  onConfirm={async () => {
                    deleteDraft(id)
                    setDrafts(listDrafts(owner, company))
                    await Promise.resolve()
                  }}
                />
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
