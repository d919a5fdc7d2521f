export type CompanySearch = { readonly part?: 'looks'; readonly receiver?: string }

export const readCompanySearch = (search: Readonly<Record<string, unknown>>): CompanySearch => ({
  part: search['part'] === 'looks' ? 'looks' : undefined,
  receiver: typeof search['receiver'] === 'string' ? search['receiver'] : undefined,
})
