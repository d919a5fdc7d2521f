export type Result = { readonly outcome: 'passed' | 'warning' | 'failed'; readonly says: string }
export type Finding = Result & { readonly name: string }

export const passed = (says: string): Result => ({ outcome: 'passed', says })
export const warning = (says: string): Result => ({ outcome: 'warning', says })
export const failed = (says: string): Result => ({ outcome: 'failed', says })
