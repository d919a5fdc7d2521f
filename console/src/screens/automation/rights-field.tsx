import { useTexts } from '../../texts/catalog.ts'
import { Select } from '../../ui/select.tsx'
import { type Access, resources, type Rights } from './rights.ts'

/** One choice for each kind of resource: nothing, read, everything. */
export const RightsField = ({
  value,
  onChange,
}: {
  readonly value: Rights
  readonly onChange: (rights: Rights) => void
}) => {
  const t = useTexts('automation')
  const options = (['none', 'read', 'all'] as const).map((id) => ({ id, label: t.access[id] }))
  return (
    <fieldset className="rights">
      <legend>{t.rights}</legend>
      {resources.map((resource) => (
        <Select<Access>
          key={resource}
          label={t.resources[resource]}
          options={options}
          value={value[resource]}
          onChange={(access) => onChange({ ...value, [resource]: access })}
        />
      ))}
    </fieldset>
  )
}

export const useRightsInWords = (): ((rights: Rights) => string) => {
  const t = useTexts('automation')
  return (rights) =>
    resources
      .filter((resource) => rights[resource] !== 'none')
      .map((resource) => `${t.resources[resource].split(':', 1)[0]} (${t.access[rights[resource]]})`)
      .join(', ')
}
