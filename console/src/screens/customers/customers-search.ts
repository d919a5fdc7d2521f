import { type Read, textOf } from '../../ui/list/read-search.ts'

export type CustomersSearch = { readonly text?: string | undefined }

export const readCustomersSearch = (search: Read): CustomersSearch => ({ text: textOf(search['text']) })
