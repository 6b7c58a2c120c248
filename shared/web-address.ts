/** Whether a link may lead there: only to the web. Any other address in a link would run or open something. */
export const isWebAddress = (address: string): boolean => /^https?:\/\//i.test(address) && URL.canParse(address)
