import type { CertificateForm } from '@millseal/contract'
import { memo, useMemo } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { Card } from '../../ui/screen.tsx'
import { useForm } from './form-context.ts'
import { placesOf } from './outline.ts'
import { Parts } from './parts.tsx'

type Group = CertificateForm['groups'][number]

/** The sections of the paper, in its order. Typing does not draw them again. */
export const Groups = memo(({ groups }: { readonly groups: readonly Group[] }) =>
  groups.map((group, at) => <Section key={group.name ?? at} group={group} />),
)
Groups.displayName = 'Groups'

const Section = ({ group: { name = 'Head', label, fields } }: { readonly group: Group }) => {
  const { root, language } = useForm()
  const t = useTexts('form')
  const place = useMemo(() => placesOf(fields), [fields])
  const schemas = useMemo(() => [root], [root])
  const title = label?.[language] ?? label?.['en'] ?? t.groups[name] ?? name
  return (
    <Card title={title}>
      <Parts pointer="" schemas={schemas} place={place} section={title} />
    </Card>
  )
}
