import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Paper } from '../../../ui/paper.tsx'
import { Problem } from '../../../ui/problem.tsx'
import type { Entry } from './entry.ts'

/** Shows a checked file as its receiver will see it. */
export const PaperButton = ({ entry: { id, revision, name, number, bytes } }: { readonly entry: Entry }) => {
  const t = useTexts('files')
  const about = number ?? name
  if (bytes === undefined) return null
  return (
    <Dialog
      title={about}
      trigger={
        <Button>
          {t.paper} <span className="hidden-visually">{about}</span>
        </Button>
      }
    >
      {() => <Page about={about} version={`${id} ${revision}`} document={bytes} />}
    </Dialog>
  )
}

/** Not by the hash: 26.0 and 26 have the same, and paper shows which of them the file has. */
const Page = ({
  about,
  version,
  document,
}: {
  readonly about: string
  readonly version: string
  readonly document: Blob
}) => {
  const { data, error, refetch } = useQuery({
    queryKey: ['paper of file', version],
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn({ signal }) {
      return await (await api.renderCertificate({ query: { type: 'html' }, document, signal })).text()
    },
  })
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  return data === undefined ? null : <Paper html={data} label={about} />
}
