export const dataExportDays = 7
export const dataExportsPerDay = 3
