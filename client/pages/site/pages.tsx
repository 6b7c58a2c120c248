import { type ReactElement } from 'react'
import { about } from '#client/content/about.ts'
import { apiDocs } from '#client/content/api-docs.ts'
import { blogArticles } from '#client/content/blog.ts'
import { careers } from '#client/content/careers.ts'
import { contact } from '#client/content/contact.ts'
import { features } from '#client/content/features.ts'
import { helpArticles } from '#client/content/help.ts'
import { landing } from '#client/content/landing.ts'
import { mobile } from '#client/content/mobile.ts'
import { pricing } from '#client/content/pricing.ts'
import { privacy } from '#client/content/privacy.ts'
import { security } from '#client/content/security.ts'
import { AboutPage } from './about.tsx'
import { ApiDocsPage } from './api-docs.tsx'
import { BlogArticlePage, BlogPage } from './blog.tsx'
import { CareersPage } from './careers.tsx'
import { ContactPage } from './contact.tsx'
import { FeaturesPage } from './features.tsx'
import { HelpArticlePage, HelpPage } from './help.tsx'
import { LandingPage } from './landing.tsx'
import { MobilePage } from './mobile.tsx'
import { OfflinePage } from './offline.tsx'
import { PricingPage } from './pricing.tsx'
import { PrivacyPage } from './privacy.tsx'
import { SecurityPage } from './security.tsx'
import { StatusPage } from './status.tsx'

/** The build writes each page to a file. */
export interface SitePage {
  path: string
  title: string
  description: string
  page: ReactElement
  /** True if the page is excluded from search engines and the sitemap. */
  hidden?: boolean
}

/** Returns every public page, including each article, for a network with billing on or off. */
export const sitePages = (billing: boolean): readonly SitePage[] => [
  { path: '/', title: 'Wholesale network for used-car dealers', description: landing.lede, page: <LandingPage /> },
  { path: '/about', title: about.title, description: about.lede, page: <AboutPage /> },
  ...(billing ? [{ path: '/pricing', title: pricing.title, description: pricing.lede, page: <PricingPage /> }] : []),
  { path: '/contact', title: contact.title, description: contact.lede, page: <ContactPage /> },
  { path: '/features', title: features.title, description: features.lede, page: <FeaturesPage /> },
  { path: '/security', title: security.title, description: security.lede, page: <SecurityPage /> },
  {
    path: '/help',
    title: 'Help center',
    description:
      'Short guides to everything a dealer does in Lanewire: posting, bidding, messages, network and settings.',
    page: <HelpPage />,
  },
  { path: '/privacy', title: privacy.title, description: privacy.lede, page: <PrivacyPage /> },
  {
    path: '/blog',
    title: 'Blog',
    description: 'What we build at Lanewire, why, and what good wholesale dealers do every day.',
    page: <BlogPage />,
  },
  { path: '/careers', title: careers.title, description: careers.lede, page: <CareersPage /> },
  {
    path: '/status',
    title: 'Status',
    description: 'The status of Lanewire services from our own checks, with the last 30 days of history.',
    page: <StatusPage />,
  },
  { path: '/mobile', title: mobile.title, description: mobile.lede, page: <MobilePage /> },
  { path: '/api-docs', title: apiDocs.title, description: apiDocs.lede, page: <ApiDocsPage /> },
  ...helpArticles(billing).map((article) => ({
    path: `/help/${article.slug}`,
    title: article.title,
    description: article.summary,
    page: <HelpArticlePage article={article} />,
  })),
  ...blogArticles.map((article) => ({
    path: `/blog/${article.slug}`,
    title: article.title,
    description: article.excerpt,
    page: <BlogArticlePage article={article} />,
  })),
  {
    path: '/offline',
    title: 'Offline',
    description: 'Lanewire cannot be reached at the moment.',
    page: <OfflinePage />,
    hidden: true,
  },
]
