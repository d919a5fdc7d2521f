import type { CertificateFamily, LookSettings } from '@millseal/contract'
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../../api/client.ts'
import { familiesQuery } from '../../api/families.ts'
import { useLanguage, useTexts } from '../../texts/catalog.ts'
import { useDebounced } from '../../ui/debounced.ts'
import { Select } from '../../ui/select.tsx'
import { Paper } from '../../ui/paper.tsx'
import { Problem } from '../../ui/problem.tsx'

type Props = {
  readonly company: string
  readonly receiver: string | undefined
  /** Undefined while the typed values cannot be used: the last page stays. */
  readonly settings: LookSettings | undefined
  /** The revision of the stored logo, so that a new one draws the page again. */
  readonly logo: number | undefined
  readonly family: CertificateFamily
  readonly onFamily: (name: string) => void
}

const pauseMs = 300

export const Preview = ({ company, receiver, settings, logo, family, onFamily }: Props) => {
  const t = useTexts('company').looks
  const language = useLanguage()
  const { data: families } = useSuspenseQuery(familiesQuery)
  const usable = useRef(settings ?? {})
  if (settings !== undefined) usable.current = settings
  const text = useDebounced(JSON.stringify(usable.current), pauseMs)
  const { data, error } = useQuery({
    queryKey: ['look preview', company, receiver, family.name, text, logo],
    queryFn: async ({ signal }) => {
      const page = await api.previewLook({
        params: { id: company },
        query: { type: 'html', receiver },
        body: { look: JSON.parse(text) as LookSettings, family: family.name },
        signal,
      })
      return page.text()
    },
    placeholderData: keepPreviousData,
  })
  return (
    <div className="stack beside">
      <Select
        label={t.previewOf}
        options={families.map(({ name, title }) => ({ id: name, label: title[language] }))}
        value={family.name}
        onChange={onFamily}
      />
      {error !== null && <Problem error={error} title={t.previewFailed} />}
      {data !== undefined && <Paper html={data} label={t.preview} />}
    </div>
  )
}
