import { PlacardClient } from '@placard/client';
import { buildOperation } from '@placard/client/graphql';

const client = new PlacardClient({ network: '1000', deliveryUrl: 'https://d.example' });
export const width = async (): Promise<number | undefined> => (await client.ads({ adUnit: 'home' })).ads[0]?.width;
export const text: string = buildOperation('query', { campaigns: { totalCount: true } }).document;
