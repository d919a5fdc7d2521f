import type { CompanyLook } from '@millseal/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { looksQuery } from './looks-query.ts'

const largestBytes = 512 * 1_024
const types = ['image/png', 'image/jpeg']

/** The stored logo. A chosen picture is stored at once. */
export const Logo = ({
  company,
  receiver,
  stored,
}: {
  readonly company: string
  readonly receiver: string | undefined
  readonly stored: CompanyLook['logo']
}) => {
  const t = useTexts('company').looks
  const queries = useQueryClient()
  const [isTooLarge, setTooLarge] = useState(false)
  const at = { params: { id: company }, query: { receiver } }
  const change = useMutation({
    mutationFn: (picture: Blob | undefined) =>
      picture === undefined ? api.deleteLogo(at) : api.updateLogo({ ...at, document: picture }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: looksQuery(company).queryKey }),
        queries.invalidateQueries({ queryKey: ['logo', company] }),
      ]),
  })
  const choose = (files: FileList | null) => {
    const picture = files?.[0]
    if (picture === undefined) return
    setTooLarge(picture.size > largestBytes)
    if (picture.size <= largestBytes) change.mutate(picture)
  }
  return (
    <>
      {stored === undefined ? (
        <p>{t.logoNone}</p>
      ) : (
        <Picture company={company} receiver={receiver} version={stored.bytes} />
      )}
      <div className="row">
        <FileTrigger acceptedFileTypes={types} onSelect={choose}>
          <Button isPending={change.isPending}>{stored === undefined ? t.logoChoose : t.logoReplace}</Button>
        </FileTrigger>
        {stored !== undefined && (
          <Button kind="quiet" onPress={() => change.mutate(undefined)}>
            {t.logoRemove}
          </Button>
        )}
      </div>
      <p className="hint">{t.logoHint}</p>
      {isTooLarge && (
        <p className="problem" role="alert">
          {t.logoTooLarge}
        </p>
      )}
      {change.error !== null && <Problem error={change.error} title={t.logoFailed} />}
    </>
  )
}

const Picture = ({
  company,
  receiver,
  version,
}: {
  readonly company: string
  readonly receiver: string | undefined
  readonly version: number
}) => {
  const t = useTexts('company').looks
  const { data } = useQuery({
    queryKey: ['logo', company, receiver, version],
    queryFn: () => api.readLogo({ params: { id: company }, query: { receiver } }),
  })
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (data === undefined) return undefined
    const made = URL.createObjectURL(data)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  return url === undefined ? null : <img className="logo" src={url} alt={t.logo} />
}
