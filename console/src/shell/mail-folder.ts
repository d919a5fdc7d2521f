import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { useHere } from './here.ts'

/** Whether this installation saves its mails instead of sending them: a setting, so operators ask once. */
export const useHasMailFolder = (): boolean | undefined => {
  const { may } = useHere()
  const { data } = useQuery({
    queryKey: ['operator', 'has-mail-folder'],
    queryFn: async ({ signal }) => (await api.readStatus({ signal })).mails.transport === 'folder',
    enabled: may('listWrittenMails'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}
