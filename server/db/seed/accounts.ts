export const demoPassword = 'lanewire-demo-2026'
export const demoAccounts: { role: string; email: string; password: string }[] = []
