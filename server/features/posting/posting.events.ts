export interface SpreadsheetJobs {
  'sheet.import': { postId: string }
}
